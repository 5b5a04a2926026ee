"""Bodies: from bytes in any encoding that clients send to JSON objects, and back.

Here live the shapes of the API objects (``shapes``, read from ``wire.kubernetes``), the
protobuf decoder (``protobuf``), the conversions of scalar types (``scalars``), and the
decoder that prunes unknown fields from JSON as a typed server does (``structure``).

Pure functions over bytes and objects. No HTTP and no rules of any kind: that a Pod needs a
container is not known here. Only the API server imports this package.
"""
