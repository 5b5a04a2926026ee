"""The verbs: create, read, update, patch, delete and watch, the same for every resource.

Here live the generic registry of a real API server in small: metadata (``metadata``),
optimistic concurrency, preconditions, finalizers and grace periods (``writing``,
``removing``, ``patching``, ``applying``), lists with selectors and pages (``reading``),
watch events (``watching``), and how a refusal is spelled (``refusals``). What is particular
to a kind comes in as a ``Strategy`` (``strategy``).

No HTTP here; the functions take objects and return objects. Only the API server imports
this package.
"""
