"""The versions of resource.k8s.io: one stored form, and a binding to and from every other.

The stored form, the *hub*, is ``v1`` (``v1alpha3`` for pool status requests, which know no
other). ``hub`` turns an object of any served version into the stored form and back;
``v1beta1`` is the one version whose shape differs, in requests and in devices; ``serving``
knows when a version came, when it is deprecated and when it goes, and which versions a server
serves that was told ``--runtime-config``.

A conversion loses nothing that a version can say, and no rule outside of this package asks
which version a client spoke. Pure; only ``reference`` may import it.
"""
