"""What an administrator may rely on while a cluster is operated.

A driver that is away for a while (an upgrade, a crash, a drained node): what goes on, what
waits, and what nobody may do meanwhile. The suite plays the driver, on a node whose
directories it reaches; the driver is away for less than the 30 seconds after which a kubelet
removes its slices.

Nobody imports this package.
"""
