"""A node that really runs containers: kubelet, containerd, runc, on this machine.

What lives here: the image archive, the configuration of both programs, and the node as two
supervised processes inside name spaces of its own.

What must not: anything about the control plane, and anything that a test expects.

Who may import it: ``upstream`` only.
"""

from __future__ import annotations
