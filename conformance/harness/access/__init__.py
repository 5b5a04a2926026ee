"""Others than the administrator: accounts with rights of their own, and nodes.

``people`` creates them for one check; what they may do is for the target to decide.
"""
