"""What components tell about claims in their metrics.

That the metrics of the documents are there under their names, what moves a counter, what a
label says, and what a gauge returns to. The metrics of a kubelet are read through the API
server, those of the control plane where the target says; where it does not, the checks that
need them are not decided. Other claims of the cluster are counted as well: a check asks for
its own driver where a label names it, and for more than before where none does.

Nobody imports this package.
"""
