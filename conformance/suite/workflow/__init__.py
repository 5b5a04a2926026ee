"""The general workflow: from a template to a claim, an allocation, a prepared device and back.

What every workload with claims relies on, whatever features are on: the ResourceClaim
controller, the scheduler's matching and its order, and the kubelet's calls. Checks of the
scheduler run on the control plane alone, on nodes of their own; those of the kubelet need a
node whose directories this process reaches.

Nobody imports this package.
"""
