"""Calls over HTTP, one module per subject."""
