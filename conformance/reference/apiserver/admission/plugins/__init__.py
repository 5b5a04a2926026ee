"""Admission plugins: what stands between an authorized write and the store.

``chain`` asks one after the other about a ``writes.Write``: NodeRestriction, the policies of an
administrator, and the quotas of a namespace. Each passes or raises.
"""
