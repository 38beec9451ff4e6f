"""Tables: their state from the events of their stream, and the handlers of their commands."""
