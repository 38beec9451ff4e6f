"""Turns figures into blocks of a document. Each study, each part of a sheet and the cards have a module."""
