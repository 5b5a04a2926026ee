"""What a kubelet does with drivers and claims beyond the general workflow.

How drivers register, one instance after the other or side by side; when slices of a driver
are removed; what is prepared and undone, once, again, and after a restart of the kubelet. The
suite plays the driver, on a node whose directories it reaches.

Nobody imports this package.
"""
