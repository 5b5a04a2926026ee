"""What a driver keeps in mind of the claims that it has prepared.

The harness takes the kubelet's side: claims are allocated by hand and handed to the driver
through its own socket, again, at one time, in the wrong order, and across restarts. Ids:
DRA-DST-*. Only the harness is imported; whether the driver is the bundled one, a vendor's
program or installed in a cluster is not known here, and a check that would disturb a driver on
which others rely is unsupported.
"""
