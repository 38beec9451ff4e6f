"""The studies of the lab, one module each; `pages.study` finds them."""
