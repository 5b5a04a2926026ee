"""What any Kubernetes API is: pure values, no I/O, no clock.

``objects`` (plain mappings with their camelCase keys, and small readers of them), ``resources``
(the table of kinds), ``status`` and ``fields`` (API errors as the server spells them),
``names``, ``quantity``, ``semver``, ``selectors``, ``patch``, ``conditions``, ``times``.

Nothing here knows of DRA, of a server or of a client; time and randomness come in as
parameters. Everything of the project may import this package; it imports nothing of it.
"""
