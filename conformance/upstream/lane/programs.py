"""Programs that are judged beside the clusters: upstream's own, asked as any other would be."""

from __future__ import annotations

from conformance.upstream import build
from conformance.upstream.cluster import Cluster
from conformance.upstream.ports import free_ports

#: Nobody listens there: an API server that takes its gates waits for its etcd for ever.
_NO_ETCD = "http://127.0.0.1:1"


def consumer() -> str:
    """Return the command of a consumer of metadata around upstream's own reader."""
    return str(build.binary("dra-metadata-consumer"))


def component(cluster: Cluster) -> str:
    """Return the command of an API server that is started with gates, away from the cluster."""
    keys = cluster.place.keys
    (port,) = free_ports(1)
    flags = {
        "etcd-servers": _NO_ETCD,
        "bind-address": "127.0.0.1",
        "secure-port": port,
        # Several checks start one at the same time.
        "permit-port-sharing": "true",
        "cert-dir": keys / "component",
        "service-account-issuer": "https://kubernetes.default.svc",
        "service-account-key-file": keys / "accounts.key",
        "service-account-signing-key-file": keys / "accounts.key",
        "feature-gates": "{gates}",
    }
    words = [f"--{name}={value}" for name, value in flags.items()]
    return " ".join([str(build.kubernetes()), "kube-apiserver", *words])
