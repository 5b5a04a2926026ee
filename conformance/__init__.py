"""Prove that Kubernetes Dynamic Resource Allocation works as documented.

Three defendants, one judge: a cluster (``run``), a driver (``certify``) and an
administrator's manifests. Expected values stand literally in the catalogue, the suite
and the fixtures; the judge never asks the defendant.

Layers, each importing only what stands below it (``|`` means strangers)::

    cli
    plugin
    suite        |  report
    harness      |  policy
    reference    |  catalogue
    dra          |  evidence
    cel
    kube | wire | data
"""

from __future__ import annotations

__version__ = "0.1.0"
