"""Real Kubernetes, built from its own Go modules and run on this machine.

What lives here: building the binaries of ``fixtures/upstream`` into a cache, rendering
their configuration, starting them as child processes, and taking all of it down again,
also after a crash. The result is a kubeconfig and, for nodes with a kubelet, the folders
where a driver registers.

What must not: checks, expectations, anything that knows what a requirement is. This
package produces a witness; judging is for the suite, through the kubeconfig alone.

Who may import it: ``cli`` and tests. It imports ``kube`` and ``data``, and in ``lane`` (the
suite on such clusters) ``evidence``; never the reference: the two clusters must stay
strangers, or their agreement proves nothing.

Sizes to remember: a control plane takes about 5 s and 700 MiB, a kubelet node 10 s more.
Root, Go (for the first build) and the Debian packages of ``prerequisites`` are needed.
"""

from __future__ import annotations
