"""The table in the terminal: `session.run` is a loop over the engine that draws `view` and offers `legal_actions`."""
