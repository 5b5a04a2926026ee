"""How an API server can overlook rules for ResourceSlices, their pools, nodes and counters."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-resourceslice-without-a-driver": overlooking(
        r"spec\.driver", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-driver-name-that-is-no-dns-subdomain": overlooking(
        r"spec\.driver", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-name-of-a-driver-to-63-characters": overlooking(
        r"spec\.driver", ErrorKind.TOO_LONG
    ),
    "apiserver-accepts-resourceslice-whose-pool-has-no-name": overlooking(
        r"spec\.pool\.name", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-pool-name-with-a-part-that-is-no-dns-subdomain": overlooking(
        r"spec\.pool\.name", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-name-of-a-pool-to-253-characters": overlooking(
        r"spec\.pool\.name", ErrorKind.TOO_LONG
    ),
    "apiserver-accepts-pool-whose-resourceslicecount-is-not-positive": overlooking(
        r"spec\.pool\.resourceSliceCount", ErrorKind.INVALID
    ),
    "apiserver-accepts-negative-pool-generation": overlooking(
        r"spec\.pool\.generation", ErrorKind.INVALID
    ),
    "apiserver-accepts-resourceslice-of-no-node": overlooking(r"spec", ErrorKind.REQUIRED),
    "apiserver-accepts-resourceslice-that-says-in-two-ways-where-its-devices-are": overlooking(
        r"spec", ErrorKind.INVALID, says="multiple fields"
    ),
    "apiserver-accepts-empty-node-name-in-a-slice": overlooking(
        r"spec\.nodeName", ErrorKind.INVALID, says="non-empty"
    ),
    "apiserver-accepts-node-name-that-is-no-dns-subdomain-in-a-slice": overlooking(
        r"spec\.nodeName", ErrorKind.INVALID, says_not="non-empty"
    ),
    "apiserver-accepts-allnodes-that-is-false": overlooking(r"spec\.allNodes", ErrorKind.INVALID),
    "apiserver-accepts-perdevicenodeselection-that-is-false": overlooking(
        r"spec\.perDeviceNodeSelection", ErrorKind.INVALID
    ),
    "apiserver-accepts-nodeselector-of-a-slice-without-exactly-one-term": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms", ErrorKind.INVALID
    ),
    "apiserver-accepts-nodeselector-whose-operator-is-unknown": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchExpressions\[\d+\]\.operator",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-nodeselector-that-compares-with-in-and-names-no-value": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchExpressions\[\d+\]\.values",
        ErrorKind.REQUIRED,
        says="NotIn",
    ),
    "apiserver-accepts-nodeselector-that-asks-for-existence-and-names-values": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchExpressions\[\d+\]\.values",
        ErrorKind.FORBIDDEN,
    ),
    "apiserver-accepts-nodeselector-that-compares-a-number-with-other-than-one-value": overlooking(
        r"spec\.nodeSelector.*values", ErrorKind.REQUIRED, says="Gt"
    ),
    "apiserver-accepts-nodeselector-with-a-key-that-no-label-can-have": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchExpressions\[\d+\]\.key",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-nodeselector-by-a-field-other-than-metadata-name": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchFields\[\d+\]\.key", ErrorKind.INVALID
    ),
    "apiserver-accepts-two-devices-of-one-name-in-a-slice": overlooking(
        r"spec\.devices\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-does-not-limit-devices-of-a-slice-to-128": overlooking(
        r"spec\.devices", ErrorKind.TOO_MANY, says="at most 128"
    ),
    "apiserver-does-not-limit-devices-of-a-slice-with-taints-to-64": overlooking(
        r"spec\.devices", ErrorKind.TOO_MANY, says="at most 64"
    ),
    "apiserver-does-not-limit-counter-sets-of-a-slice-to-8": overlooking(
        r"spec\.sharedCounters", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-counter-set-without-a-name": overlooking(
        r"spec\.sharedCounters\[\d+\]\.name", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-counter-set-whose-name-is-no-dns-label": overlooking(
        r"spec\.sharedCounters\[\d+\]\.name", ErrorKind.INVALID
    ),
    "apiserver-accepts-counter-set-without-counters": overlooking(
        r"spec\.sharedCounters\[\d+\]\.counters", ErrorKind.REQUIRED
    ),
    "apiserver-does-not-limit-counters-of-a-counter-set-to-32": overlooking(
        r"spec\.sharedCounters\[\d+\]\.counters", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-counter-whose-name-is-no-dns-label": overlooking(
        r"spec\.sharedCounters\[\d+\]\.counters", ErrorKind.INVALID
    ),
    "apiserver-accepts-two-counter-sets-of-one-name-in-a-slice": overlooking(
        r"spec\.sharedCounters\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-resourceslice-with-devices-and-shared-counters": overlooking(
        r"spec", ErrorKind.INVALID, says="only one of `sharedCounters`"
    ),
    "apiserver-accepts-change-of-the-driver-of-a-slice": overlooking(
        r"spec\.driver", ErrorKind.INVALID, says="immutable"
    ),
    "apiserver-accepts-change-of-the-pool-s-name-of-a-slice": overlooking(
        r"spec\.pool\.name", ErrorKind.INVALID, says="immutable"
    ),
    "apiserver-accepts-change-of-the-node-name-of-a-slice": overlooking(
        r"spec\.nodeName", ErrorKind.INVALID, says="immutable"
    ),
}
