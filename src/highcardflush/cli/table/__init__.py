"""The table of `hcf play`: a loop over the engine that draws `view` and offers what `legal_actions` gives."""
