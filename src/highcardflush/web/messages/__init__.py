"""Everything that the server sends over HTTP or the live socket: one struct per message, one module per subject.

OpenAPI, AsyncAPI and the pages' types are generated from them. Each struct builds itself from objects of the house or
the engine (`of`). Money is an int with its unit in the key, and a sentence carries its code and its values.
"""
