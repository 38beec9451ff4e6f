"""What is written: events in streams, the transfers between accounts that go with them, and what is sealed."""
