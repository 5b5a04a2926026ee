"""Checks of the kinds of resource.k8s.io as objects of the Kubernetes API (requirements/api.yaml).

What holds for every kind is a row per kind. What the devices are for plays no part here.
"""
