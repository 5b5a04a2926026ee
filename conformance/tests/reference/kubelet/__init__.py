"""The kubelet of the reference, judged."""
