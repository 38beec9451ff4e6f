"""The table server: live tables over HTTP and WebSocket."""
