"""The checks: pytest modules, one folder per area, with the names of the requirements' files.

A check marks the ids that it judges, says the obligation in its docstring, arranges with a
manifest of the same name, acts, and expects; no ``if``, no loop, no ``try``. Variation
stands in parametrized rows whose ids read as phrases. Nothing in a check knows which target
it judges: a ``World`` (see ``conformance.harness``) is all that it gets.

Markers: ``requirement(*ids)``, ``needs(*capabilities)``, ``variant(gates, binding_timeout)``.

Checks import ``harness`` and ``kube``; never ``dra``, ``reference``, ``plugin`` or each other.
"""
