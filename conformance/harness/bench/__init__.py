"""A driver on the bench: the harness takes the kubelet's side and looks at what comes of it.

``bench`` holds one check's claims: it hands them to the driver through its own socket, as a
kubelet does, and takes them back at the end whatever happened. ``handmade`` allocates a claim
by hand, as a scheduler would, so that a check decides which devices it has. ``cdi`` reads and
judges the CDI specs that a driver leaves on its node, ``publication`` the slices that it
publishes, ``together`` makes calls at one time. ``forms`` are claims that are seldom seen,
``crash`` kills the driver or damages what it keeps, ``wear`` measures what it uses up,
``trouble`` is what it meets at the API server, and ``writing`` hears from the kernel who writes
into a folder.

Only devices that nobody else has are used, and of a driver that others rely on nothing is
disturbed: such a check is unsupported. The suite imports this package; it stands on
``subject`` and ``kubeletside`` and knows no implementation.
"""
