"""The database of the books: atomic jobs in SQLite or PostgreSQL."""
