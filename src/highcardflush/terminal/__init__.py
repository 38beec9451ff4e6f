"""The table in the terminal: `session.run` loops over the engine, draws `view` and offers `legal_actions`."""
