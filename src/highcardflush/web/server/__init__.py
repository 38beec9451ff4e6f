"""The server process: settings, start and stop, logs, metrics, health."""
