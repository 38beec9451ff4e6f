"""The crash lab: a house that is killed, loses its power, or finds its disk full, at every write that it makes.

A child process (`child`) runs the house and takes commands as JSON lines. strace watches it (`strace`): it writes
down what the child wrote and synced, kills it before a chosen system call, or makes that call fail. `trace` reads
what strace wrote, `disk` makes of it what a disk may hold after the power was cut. A driver (`driver`) plays tables
through the child, keeps every acknowledgement, and afterwards holds the books against them.
"""
