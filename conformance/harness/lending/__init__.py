"""What a driver that is started here gets of a cluster, for one run.

``plane`` is what a cluster must offer for that. ``manifests`` reads the driver's account and its
rights, ``credentials`` makes its kubeconfig, and ``lent`` remembers what was created, so that it
goes with the run.
"""
