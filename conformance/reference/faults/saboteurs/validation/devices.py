"""How an API server can overlook rules for the devices of a ResourceSlice."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-device-whose-name-is-no-dns-label": overlooking(
        r"spec\.devices\[\d+\]\.name", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-attributes-and-capacities-of-a-device-to-32-together": overlooking(
        r"spec\.devices\[\d+\]", ErrorKind.INVALID, says="attributes and capacities"
    ),
    "apiserver-accepts-attribute-without-exactly-one-value": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[model\]", ErrorKind.INVALID, says="exactly one value"
    ),
    "apiserver-does-not-limit-text-in-an-attribute-to-64-characters": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[model\]\.string", ErrorKind.TOO_LONG
    ),
    "apiserver-accepts-version-that-is-no-semantic-version": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[\w+\]\.version", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-version-in-an-attribute-to-64-characters": overlooking(
        r"spec\.devices\[\d+\]\.attributes\[model\]\.version", ErrorKind.TOO_LONG
    ),
    "apiserver-accepts-name-of-an-attribute-that-is-no-c-identifier": overlooking(
        r"spec\.devices\[\d+\]\.attributes", ErrorKind.INVALID, says="C identifier"
    ),
    "apiserver-does-not-limit-identifier-of-an-attribute-to-32-characters": overlooking(
        r"spec\.devices\[\d+\]\.attributes", ErrorKind.TOO_LONG, says="32 bytes"
    ),
    "apiserver-does-not-limit-domain-of-an-attribute-to-63-characters": overlooking(
        r"spec\.devices\[\d+\]\.attributes", ErrorKind.TOO_LONG, says="63 bytes"
    ),
    "apiserver-accepts-name-of-an-attribute-with-an-empty-domain": overlooking(
        r"spec\.devices\[\d+\]\.attributes", ErrorKind.INVALID, says="domain must not be empty"
    ),
    "apiserver-accepts-name-of-an-attribute-with-nothing-behind-its-domain": overlooking(
        r"spec\.devices\[\d+\]\.attributes", ErrorKind.INVALID, says="name must not be empty"
    ),
    "apiserver-accepts-name-of-an-attribute-whose-domain-is-no-dns-subdomain": overlooking(
        r"spec\.devices\[\d+\]\.attributes", ErrorKind.INVALID, says="subdomain"
    ),
    "apiserver-accepts-name-of-a-capacity-that-is-no-c-identifier": overlooking(
        r"spec\.devices\[\d+\]\.capacity", ErrorKind.INVALID
    ),
    "apiserver-accepts-taint-without-an-effect": overlooking(
        r"spec\.devices\[\d+\]\.taints\[\d+\]\.effect", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-taint-with-an-unknown-effect": overlooking(
        r"spec\.devices\[\d+\]\.taints\[\d+\]\.effect", ErrorKind.NOT_SUPPORTED
    ),
    "apiserver-accepts-taint-whose-key-is-no-label-key": overlooking(
        r".*taints\[\d+\]\.key", ErrorKind.INVALID
    ),
    "apiserver-accepts-taint-whose-value-is-no-label-value": overlooking(
        r"spec\.devices\[\d+\]\.taints\[\d+\]\.value", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-taints-of-a-device-to-16": overlooking(
        r"spec\.devices\[\d+\]\.taints", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-device-that-consumes-counters-of-no-set": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.counterSet", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-device-that-consumes-no-counter-of-a-set": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.counters", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-device-that-consumes-counters-of-one-set-twice": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-does-not-limit-counter-sets-that-a-device-consumes-from-to-2": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters", ErrorKind.TOO_MANY
    ),
    "apiserver-does-not-limit-counters-that-a-device-consumes-of-one-set-to-32": overlooking(
        r"spec\.devices\[\d+\]\.consumesCounters\[\d+\]\.counters", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-node-of-a-device-of-its-own-unasked": overlooking(
        r"spec\.devices\[\d+\]", ErrorKind.INVALID, says="can only be set if"
    ),
    "apiserver-accepts-device-without-a-node-of-its-own": overlooking(
        r"spec\.devices\[\d+\]", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-device-with-two-kinds-of-node-of-its-own": overlooking(
        r"spec\.devices\[\d+\]", ErrorKind.INVALID, says="exactly one of"
    ),
    "apiserver-accepts-device-whose-node-name-is-empty": overlooking(
        r"spec\.devices\[\d+\]\.nodeName", ErrorKind.INVALID, says="must not be empty"
    ),
    "apiserver-accepts-binding-conditions-without-binding-failure-conditions": overlooking(
        r"spec\.devices\[\d+\]\.bindingFailureConditions", ErrorKind.INVALID, says="are required"
    ),
    "apiserver-accepts-binding-failure-conditions-without-binding-conditions": overlooking(
        r"spec\.devices\[\d+\]\.bindingConditions", ErrorKind.INVALID, says="are required"
    ),
    "apiserver-accepts-binding-condition-that-stands-twice": overlooking(
        r"spec\.devices\[\d+\]\.bindingConditions\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-binding-failure-condition-that-stands-twice": overlooking(
        r"spec\.devices\[\d+\]\.bindingFailureConditions\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-condition-that-means-both-binding-and-failure": overlooking(
        r"spec\.devices\[\d+\]\.bindingFailureConditions\[\d+\]", ErrorKind.INVALID, says="overlap"
    ),
    "apiserver-accepts-binding-condition-whose-name-is-no-label-key": overlooking(
        r"spec\.devices\[\d+\]\.bindingConditions\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-binding-conditions-of-a-device-to-4": overlooking(
        r"spec\.devices\[\d+\]\.bindingConditions", ErrorKind.TOO_MANY
    ),
    "apiserver-does-not-limit-binding-failure-conditions-of-a-device-to-4": overlooking(
        r"spec\.devices\[\d+\]\.bindingFailureConditions", ErrorKind.TOO_MANY
    ),
}
