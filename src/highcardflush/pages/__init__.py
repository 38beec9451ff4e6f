"""Turns figures into blocks of a document, with one module per study, one per sheet section, and one for the cards."""
