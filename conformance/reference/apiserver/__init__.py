"""The API server of the reference: the one place where objects live, behind real HTTP.

``server`` starts and stops it; ``http`` reads requests and writes answers; ``codec`` knows the
encodings; ``registry`` has the verbs; ``admission`` has the rules of the core kinds and calls
``dra`` for those of resource.k8s.io; ``discovery`` says what is served. ``seams`` lists where
a fault may step in, ``simplifications`` what a real API server does beyond this one.

Only this package touches ``reference.store``. No other component imports it: they meet it
over the socket, and ``reference.cluster`` starts it.
"""
