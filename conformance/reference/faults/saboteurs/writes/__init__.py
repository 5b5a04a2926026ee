"""How writes to the API and what follows them can go wrong: ``applying`` and ``deletion``.

Both are about the API server's bookkeeping (owners of fields, finalizers) and about those who
read it.
"""
