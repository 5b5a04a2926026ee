"""What a driver may do in a cluster, and what it does with that.

A driver acts with the ServiceAccount of its manifests while claims live with it; the API server
of the bundled target tells what it did and tried. Ids: DRA-DRT-*. Only the harness is imported.
"""
