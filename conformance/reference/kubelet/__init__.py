"""The kubelet of the reference: DRA manager, Pod workers and a container runtime in small.

``kubelet.Kubelet`` is the one class to construct; it runs one node on directories that
``settings.Directories`` names. ``registration`` knows which drivers there are, ``claims``
prepares and unprepares ResourceClaims, ``health`` follows device health, ``pods`` takes each
Pod through its life, ``runtime`` applies CDI specs and interprets probe containers, and
``server`` serves logs over HTTP and PodResources over gRPC. ``seams`` lists where a fault
may step in.

It speaks to the API server through ``reference.client`` and to drivers through gRPC on real
Unix sockets; drivers may be of this process or real programs. It imports no other component,
and only ``reference.cluster`` may import it.
"""
