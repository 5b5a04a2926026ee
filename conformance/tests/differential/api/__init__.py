"""Our API server beside the real one: the same writes, and the answers are compared.

``bases`` (valid objects, in ``bases*.yaml``), ``mutations`` (one change at one place), ``pairs``
(every write that is asked), ``asking`` (a server's answer, without what is chance), ``record``
(asks a real API server and keeps its answers in ``recordings``), ``comparing`` (what differs,
and the reasoned rows of ``known.yaml``).

The recordings are replayed without a real server; recording again is marked ``upstream``.
Nothing but tests may import this package.
"""
