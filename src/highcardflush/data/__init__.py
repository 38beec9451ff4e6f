"""Rulebooks and figures as JSON data: the command line and the server say the same."""
