"""How we ask any target: synchronous, and knowing no implementation.

A check gets a ``World``: its own namespace, driver name, class and pool on some cluster::

    world.apply("binding_conditions/one_device", conditions=["example.com/ready"], failures=[])
    world.claims.allocated("claim")            # waits, within a bound that has a name
    world.pods.stays_unscheduled("pod")        # watches, for a time that has a name
    world.claims.condition("claim", "example.com/ready", "True")
    expect.same(world.pods.scheduled("pod")["spec"]["nodeName"], node, path="spec.nodeName")

``errors`` says what can go wrong and ``target`` what every target offers; ``targets`` holds
one module per target. ``client`` is the only home of the ``kubernetes`` library, ``exchange``
keeps what was said as evidence. ``apply`` turns manifests into objects, ``wait`` lets time
pass (real or virtual) within the bounds that ``timeouts`` resolves by name, ``expect``
compares. ``world``, ``pods`` and ``claims`` are what checks speak to; ``leftovers`` finds what
a crashed run left behind. ``observe`` reads what can be seen through the API alone,
``nodeplugin`` is a driver double, ``kubeletside`` speaks to a driver as a kubelet does,
``process`` runs a vendor's driver, ``subject`` is the driver that is judged, ``programs`` are
judged by what they say, without a cluster. ``lending`` is what a driver that we start gets of a
cluster, and ``gateway`` stands between it and the API server of a live one.

The suite, the plugin and the command line may import this package. It imports
``catalogue``, ``evidence``, ``kube``, ``trust`` and ``wire``; the one edge to the reference is
``targets.bundled``.
"""
