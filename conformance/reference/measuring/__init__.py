"""What components tell about themselves: metrics in the text format of Prometheus.

``families`` are the metrics of Kubernetes 1.37 that are told, with their real names, labels
and buckets; ``measures`` counts, ``watches`` and ``claims`` know what of queues, drivers and
claims; ``endpoint`` serves text over HTTP on loopback. Each component has measures of its own:
nothing is shared but the kinds of things that are counted.

Pure but for ``endpoint``. Components may import this package, as they import the client.
"""
