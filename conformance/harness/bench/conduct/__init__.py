"""How a driver on the bench conducts itself: what the optional profiles ask of it.

``lifecycle`` starts, ends, pauses and doubles the driver and takes away what it relies on;
``reboot`` starts it on a clock that begins anew;
``liveness`` probes it; ``metrics`` scrapes it; ``health`` listens to its health stream;
``hardware`` lets devices go and fail; ``metadata`` follows the mounts of its CDI specs to the
metadata files on the node;
``credentials`` replaces its token. They stand on ``bench`` and know nothing of each other.
"""
