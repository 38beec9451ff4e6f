"""Credentials and sessions. They are not part of the books: their rows are changed and deleted."""
