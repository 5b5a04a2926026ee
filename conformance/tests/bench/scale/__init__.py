"""Many nodes, many Pods: the reference beside a real control plane, in one run.

``server`` speaks to any API server through a kubeconfig, ``workload`` makes nodes, devices and
Pods and sees when they are bound, ``scenario`` says how many of them and how fast, ``sides``
starts the clusters as processes of their own, ``compare`` and ``growth`` are the tables.

One program drives every side in the same way, and its own time counts on every side. Nothing
here is asserted: a number depends on the machine, so what is shown are ratios within one run.
"""
