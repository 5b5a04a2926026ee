"""Checks of one object in every served version of resource.k8s.io (requirements/api_versions.yaml).

Each manifest of this area holds an object twice: as v1beta1 spells it, and as v1 does. What is
expected of a conversion is the other document. Nothing here converts: an expectation that was
computed would share the bugs of the conversion.
"""
