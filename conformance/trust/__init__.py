"""What a client and an API server hold of each other, whoever serves: trust, and trouble.

``certificates`` makes the authority of a server with TLS, ``projected`` keeps a token in a file
as a kubelet does for a Pod, ``rotation`` remembers which tokens others have replaced, ``trouble``
is what requests meet where somebody asks for it. The reference uses them as the API server and
the kubelet, the harness where it stands between a driver and the API server of a live cluster.
"""
