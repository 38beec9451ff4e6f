"""Calls over HTTP, one module per subject. The route of the live socket is in `live/live_socket.py`."""
