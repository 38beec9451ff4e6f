"""The calls over HTTP, one module for each kind of thing."""
