"""Support code that the tests share: tables, rounds, slow twins, a floor of players, real servers and the crash lab."""
