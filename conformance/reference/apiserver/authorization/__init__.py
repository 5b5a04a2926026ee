"""Who may do what: the Node authorizer, then RBAC, and a log of what was asked.

``attributes`` is the question, ``rbac`` and ``node`` answer it from the objects in the store,
``bootstrap`` is what every cluster grants from the beginning, ``access`` joins them and
remembers. Answers are not cached: a role that is written counts from the next request on.
"""
