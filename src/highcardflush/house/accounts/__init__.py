"""Credentials and sessions, which are no part of the books: their rows are changed and deleted."""
