"""Saboteurs of who may do what: authorization, parts of a status, quota, policies.

One module for each area of the suite, as in the package above; what they may touch is what the
seam hands them.
"""
