"""Writes documents and figures as terminal output, HTML, PDF, CSV, JSON and charts."""
