"""How the components of the reference speak to the API server: real HTTP, plain JSON objects.

Here live the asynchronous client (``api``: verbs; ``transport``: connections, errors and
watch streams), the list-and-watch cache of one resource (``informer``) and the work queue
that reconcilers take their keys from (``queue``). All three hold the clock still while they
have work, so that virtual time passes only when nothing else can happen.

Controllers, scheduler, kubelet, driver and cluster may import this package. It never imports
the API server or the store: whatever a component learns, it learned over the socket. The
judge has a client of its own in ``harness``.
"""
