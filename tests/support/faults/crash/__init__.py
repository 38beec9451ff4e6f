"""The crash lab: a house that is killed, loses its power, or finds its disk full, at every write that it makes.

disk, recording    what a disk may hold after the power was cut; what strace saw, kept for making images of
nursery, strace    children in plenty, and strace around one: to record it, to kill it, to make a call fail
scenario, child    what is played; the house in a process of its own that takes it as JSON lines
driver             the world outside: sends, keeps every answer, and holds the books against them
lab                houses to break, in SQLite and PostgreSQL
kills, power, errors    the three ways to break one
"""
