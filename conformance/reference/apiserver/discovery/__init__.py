"""What is served: versions, groups, resources and the shapes of their objects.

``documents`` holds the discovery documents, legacy and aggregated, and finds the one that a
path asks for; ``openapi`` describes the objects for ``kubectl explain`` and for the choice of
server-side field validation.

Documents are made when they are first asked for. Pure functions of the table of resources
and the emulated version. Only the API server imports this package.
"""
