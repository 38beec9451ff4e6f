"""The database under the books: jobs that happen wholly or not at all, on SQLite and on PostgreSQL."""
