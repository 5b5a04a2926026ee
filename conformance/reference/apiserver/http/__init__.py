"""HTTP: from a request to a verb of the registry, and from its result to an answer.

``routes`` reads paths, ``negotiation`` media types, ``bodies`` what was sent, ``answers``
writes JSON, ``tables`` what ``kubectl get`` prints, ``verbs`` maps methods to the registry,
``streams`` sends watches, ``subresources`` has binding, eviction and log, ``reviews`` the
access reviews, ``disturbing`` the trouble that a harness asks for. ``handler`` puts them in
order for one request: who asks, what for, answer.

The web server library is imported here and in ``server`` alone. No rule about an object
lives here. Only the API server imports this package.
"""
