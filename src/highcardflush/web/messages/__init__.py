"""The messages that the server sends over HTTP or the live socket: one struct per message, one module per subject.

OpenAPI, AsyncAPI and the pages' types are generated from these structs. A struct's `of` builds it from objects of the
house or the engine. An amount of money is an integer with its unit in the key. A sentence has its code and values.
"""
