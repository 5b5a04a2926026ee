"""The targets, one module each: ``bundled`` and ``kube``; ``opening`` names them.

``bundled`` drives the reference cluster in a thread of its own, on virtual time unless told
otherwise, one cluster per variant; it holds the one edge of the judge to the reference, and
uses nothing of it but ``reference.cluster`` and what that needs as arguments. ``kube`` asks
any cluster that a kubeconfig describes, and never touches what the suite did not create;
``guarded`` is such a cluster on which a driver of ours is started, behind a ``gateway``.

``hosting`` says who provides the driver that is judged, ``programs`` who is judged without a
cluster.

The plugin and the command line may import ``opening``; checks know neither module.
"""
