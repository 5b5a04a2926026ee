"""Deletion of ResourceClaims: preconditions, finalizers, owners and dependents.

Owner and dependent are both ResourceClaims, so that nothing but the garbage collector of the
cluster acts on them. Every check takes away the finalizers that it set.

Nobody imports this package.
"""
