"""Admission plugins: what stands between an authorized write and the store.

``chain`` has the policies of an administrator change what is created, and then asks one plugin
after the other about a ``writes.Write``: Priority, which completes it, NodeRestriction, the
policies that validate, and the quotas of a namespace. Each passes or raises.
"""
