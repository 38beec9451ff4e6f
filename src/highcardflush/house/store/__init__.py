"""The database under the books: atomic jobs on SQLite and on PostgreSQL."""
