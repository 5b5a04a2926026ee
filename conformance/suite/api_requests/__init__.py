"""Checks of what may be asked of the API about the kinds of resource.k8s.io, and of the answers.

Names, dry runs, versions, selectors, watches and subresources, a row per kind; ``api`` has the
verbs themselves.
"""
