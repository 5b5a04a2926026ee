"""A cluster that obeys: API server, controllers, scheduler, kubelet and driver in one process.

Asynchronous, one event loop. The components meet only at the API, over real HTTP on
loopback and real gRPC on Unix sockets; only the API server touches the store. Time,
identity and faults are parameters (``clock``, ``identity``, ``faults``).

What it does not emulate stands in the ``SIMPLIFICATIONS`` of each component and, told to
users, in ``catalogue/simplifications.yaml``; a test holds both together.

The one way in for the rest of the project is ``cluster``, which the bundled target drives.
Nothing in ``suite``, ``harness``, ``catalogue``, ``policy`` or ``report`` may look inside.
"""
