"""Tables: their state, rebuilt from the events of their streams, and the handlers for their commands."""
