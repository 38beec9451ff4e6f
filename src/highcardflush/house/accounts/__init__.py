"""Credentials and sessions. They are not part of the books, so their rows can be changed and deleted."""
