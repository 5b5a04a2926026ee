"""Saboteurs: named ways in which the reference can be wrong, one per requirement.

Here live the seam mechanism (``seams``), the table of faults per area (``<area>.yaml``:
name, sentence, seam, ids it breaks), the functions that commit them (``saboteurs/<area>``)
and the registry that joins both. A fault wraps a seam that a component offers; it never
edits a rule and never imports a component. Every component may import this package; the
suite and the harness see fault names only.
"""
