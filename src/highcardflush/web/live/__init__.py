"""Live tables: the socket, its messages, table clocks and house players."""
