"""Profiles for hypothesis: no deadlines, since a loaded machine is not a failing one."""

from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.load_profile("default")
