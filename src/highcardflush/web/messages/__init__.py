"""Everything that the server answers or says on the live socket: one struct per message, one module per subject.

Handlers return these structs and the live socket sends them, so OpenAPI, AsyncAPI and the pages' types are generated
from them. Each struct makes itself from the objects of the house or the engine (`of`). Keys are snake_case, money is
an int with its unit in the key, cards are text, and a sentence carries its code and its values.
"""
