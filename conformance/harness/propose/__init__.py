"""Proposing objects to an API server: a valid one, changed in one place, and not stored.

``changes`` sets and drops fields by path, ``values`` makes the values that a change needs
(the longest name, one device too many), ``proposals`` asks the API server what it would say
(``dryRun``), so that a check of a rule leaves nothing behind.
"""
