"""How an API server can overlook rules for what further features say of devices."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-device-whose-allnodes-is-false": overlooking(
        r"spec\.devices\[\d+\]\.allNodes", ErrorKind.INVALID
    ),
    "apiserver-accepts-device-whose-node-selector-has-no-term": overlooking(
        r"spec\.devices\[\d+\]\.nodeSelector\.nodeSelectorTerms", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-device-whose-node-name-is-no-dns-subdomain": overlooking(
        r"spec\.devices\[\d+\]\.nodeName", ErrorKind.INVALID, says_not="must not be empty"
    ),
    "apiserver-accepts-consumption-of-a-counter-set-of-any-name": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.counterSet", ErrorKind.INVALID
    ),
    "apiserver-accepts-consumption-of-a-counter-of-any-name": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.counters", ErrorKind.INVALID
    ),
    "apiserver-accepts-binding-failure-condition-whose-name-is-no-label-key": overlooking(
        r"spec\.devices\[\d+\]\.bindingFailureConditions\[\d+\]",
        ErrorKind.INVALID,
        says_not="overlap",
    ),
    "apiserver-accepts-nodeselector-by-name-with-any-operator": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchFields\[\d+\]\.operator",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-nodeselector-by-several-names": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchFields\[\d+\]\.values",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-nodeselector-with-a-value-that-no-label-can-have": overlooking(
        r"spec\.nodeSelector\.nodeSelectorTerms\[\d+\]\.matchExpressions\[\d+\]\.values\[\d+\]",
        ErrorKind.INVALID,
    ),
    "apiserver-does-not-limit-identifier-of-a-capacity-to-32-characters": overlooking(
        r"spec\.devices\[\d+\]\.capacity", ErrorKind.TOO_LONG, says="32 bytes"
    ),
    "apiserver-does-not-limit-domain-of-a-capacity-to-63-characters": overlooking(
        r"spec\.devices\[\d+\]\.capacity", ErrorKind.TOO_LONG, says="63 bytes"
    ),
    "apiserver-accepts-attribute-with-a-list-of-no-values": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[sizes\]\.\w+",
        ErrorKind.INVALID,
        says="must not be empty",
    ),
    "apiserver-accepts-version-in-a-list-that-is-no-semantic-version": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[sizes\]\.versions\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-accepts-attribute-with-a-value-and-a-list-of-values": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[sizes\]", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-text-in-a-list-of-an-attribute-to-64-characters": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[sizes\]\.strings\[\d+\]", ErrorKind.TOO_LONG
    ),
    "apiserver-does-not-limit-values-of-all-attributes-of-a-device-to-48-together": overlooking(
        r"spec\.devices\[\d+\]", ErrorKind.INVALID, says="attribute values"
    ),
    "apiserver-accepts-compatibility-group-that-stands-twice": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.compatibilityGroups\[\d+\]",
        ErrorKind.DUPLICATE,
    ),
    "apiserver-accepts-compatibility-group-whose-name-is-no-dns-label": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.compatibilityGroups\[\d+\]",
        ErrorKind.INVALID,
    ),
    "apiserver-does-not-limit-compatibility-groups-of-what-a-device-consumes-to-2": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.compatibilityGroups", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-partitiontypeattribute-without-a-domain": overlooking(
        r"spec\.partitionTypeAttribute", ErrorKind.INVALID, says="fully qualified"
    ),
    "apiserver-accepts-partitiontypeattribute-of-no-partitions": overlooking(
        r"spec\.partitionTypeAttribute", ErrorKind.INVALID, says="may only be set"
    ),
    "apiserver-accepts-partition-without-its-type": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[dra\.example/profile\]", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-partitiontypeattribute-whose-value-is-no-text": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[dra\.example/profile\]", ErrorKind.INVALID
    ),
    "apiserver-accepts-unknown-operation-among-those-that-a-slice-skips": overlooking(
        r"spec\.skipNodeOperations\[\d+\]", ErrorKind.NOT_SUPPORTED
    ),
    "apiserver-accepts-operation-that-a-slice-skips-twice": overlooking(
        r"spec\.skipNodeOperations\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-slice-that-skips-preparing-alone": overlooking(
        r"spec\.skipNodeOperations", ErrorKind.INVALID
    ),
    "apiserver-accepts-what-a-device-takes-of-a-node-without-mapping-and-overhead": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-mapping-of-a-capacity-that-the-device-does-not-have": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.mapping\.capacityKey",
        ErrorKind.NOT_FOUND,
    ),
    "apiserver-accepts-mapping-of-a-capacity-without-a-multiplier": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.mapping\.capacityMultiplier",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-mapping-with-a-multiplier-of-no-capacity": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.mapping\.capacityKey",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-multiplier-of-a-capacity-that-is-not-positive": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.mapping\.capacityMultiplier",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-multiplier-of-a-device-that-is-not-positive": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.mapping\.deviceMultiplier",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-overhead-without-an-amount": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.overhead", ErrorKind.INVALID
    ),
    "apiserver-accepts-negative-overhead-of-each-pod": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.overhead\.perPod",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-negative-overhead-of-each-container": overlooking(
        r"spec\.devices\[\d+\]\.nodeAllocatableResources\[cpu\]\.overhead\.perContainer",
        ErrorKind.INVALID,
    ),
}
