"""What Pods ask for in ``resources`` that devices provide, and what devices take of a node.

``extended`` turns requests for extended resources into requests for devices. Pure: nothing here
reads or writes the API.
"""
