"""Everything that the server answers or says on the live socket: one struct per message, one module per subject.

OpenAPI, AsyncAPI and the pages' types are generated from them. Each struct makes itself from the objects of the house
or the engine (`of`). Money is an int with its unit in the key, and a sentence carries its code and its values.
"""
