"""The certificates of drivers that nobody here wrote, as they are committed under ``reports``.

``hermetic`` certifies a driver against the control plane that ``certify`` brings, ``live`` beside
a real control plane and kubelet; ``testdriver`` reads the certificate of Kubernetes' own test
driver; ``committed`` cuts a journal down to what is worth keeping, and says where the two ways
differ. ``python -m conformance.upstream.certificates FOLDER...`` makes them anew, and CI holds
what it finds against them.
"""
