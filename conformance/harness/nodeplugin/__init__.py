"""A driver double: the node part of a DRA driver, with every reaction under control.

It registers over the kubelet's real registrar directory, speaks the real gRPC (DRAPlugin
v1 or v1beta1, DRAResourceHealth v1 or v1alpha1), writes real CDI specs and remembers every
call. What it does wrong, it does because a check told it to: it is the witness when the
kubelet is the defendant. It works against any kubelet whose directories this process can
reach, and knows no implementation.

``double`` is the façade, a context manager; ``calls`` the record of what the kubelet asked;
``plan`` the orders for the next answers; ``service`` and ``health`` the gRPC servicers;
``cdi`` the spec files. The suite may import this package; it imports ``wire``, ``kube`` and
the errors of ``harness``.
"""
