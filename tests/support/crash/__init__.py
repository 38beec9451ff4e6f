"""The crash lab: a house that is killed, loses its power, or finds its disk full, at every write that it makes.

trace, disk        what strace wrote, read; what a disk may hold of it after the power was cut
nursery, strace    children in plenty, and strace around one: to record it, to kill it, to make a call fail
recording          what was written to a folder, kept for making images of
standin            the least that could be a house, to try the lab itself on
scenario, child    what is played; the house in a process of its own that takes it as JSON lines
driver             the world outside: sends, keeps every answer, and holds the books against them
lab                houses to break, in SQLite and PostgreSQL
kills, power, errors    the three ways to break one
"""
