"""People's accounts and sessions."""
