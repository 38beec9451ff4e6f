"""The messages that the server sends over HTTP or the live socket: one struct per message, one module per subject.

OpenAPI, AsyncAPI and the pages' types are generated from these structs. A struct's `of` builds it from objects of the
house or the engine. An amount of money is an integer whose unit is in its field name. A sentence is sent as text
together with a code and values, so that clients can build it in other languages.
"""
