"""What is required: the law that the suite, the policies and the reports cite.

The law is data: ``requirements/<area>.yaml`` (one obligation each, with level, role and
source), ``features.yaml`` (what each Kubernetes minor offers), ``profiles.yaml`` (named
selections), ``gaps.yaml`` (requirements without a check, and why), ``waits.yaml`` (every
bound of the suite) and ``documents/`` (what is cited).

``model`` holds the values and answers questions about them, without any I/O. ``reading`` turns
YAML into cells that know their line and column, ``decoding`` cells into values, ``loading``
files into the one ``Catalogue``; ``waivers`` reads a file of the user. ``checks`` finds the
checks of a suite and ``saboteurs`` the faults of a reference, both by reading and without
importing; ``proofs`` joins them with the law, ``lint`` holds law, suite and schemas together.

Must not live here: how anything is checked. Whoever stands above may import this package
(harness, policy, suite, report, plugin, cli); it imports ``data`` alone.
"""
