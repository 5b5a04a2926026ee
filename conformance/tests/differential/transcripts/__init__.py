"""Conversations with an API server, recorded on a real one and held with ours.

``scripts/*.yaml`` say what is asked (``script`` reads them, ``drawing`` draws more), ``playing``
asks it, ``normal`` takes out of an answer what is chance, ``record`` asks a real API server and
writes
``recordings``, ``comparing`` asks the reference, and tells what differs beyond the reasoned rows
of ``known.yaml``.

The recordings are replayed without a real server; recording again is marked ``upstream``.
Nothing but tests may import this package.
"""
