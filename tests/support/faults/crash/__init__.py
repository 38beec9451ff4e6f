"""The crash lab: a house that is killed, loses its power, or finds its disk full, at every write that it makes.

disk, recording    the possible contents of a disk after a power cut; the recorded writes that images are made from
nursery, strace    the fork server for children, and strace, which records or kills a child or makes a call fail
scenario, child    the game that is played; the process that plays it in a house, controlled by JSON lines
driver             the world outside: sends commands, records every answer, and compares the books with them
lab                houses to break, in SQLite and PostgreSQL
kills, power, errors    the three ways to break a house
"""
