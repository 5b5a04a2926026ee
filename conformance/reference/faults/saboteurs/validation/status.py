"""How an API server can overlook rules for the status of a claim."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-allocation-for-a-request-that-does-not-exist": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.request", ErrorKind.INVALID
    ),
    "apiserver-accepts-allocated-device-without-a-driver": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.driver", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-allocated-device-without-a-pool": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.pool", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-allocated-device-whose-name-is-no-dns-label": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.device", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-allocated-devices-of-a-claim-to-32": overlooking(
        r"status\.allocation\.devices\.results", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-allocation-whose-node-selector-has-no-term": overlooking(
        r"status\.allocation\.nodeSelector\.nodeSelectorTerms", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-configuration-of-an-allocation-without-a-source": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.source", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-configuration-from-an-unknown-source": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.source", ErrorKind.NOT_SUPPORTED
    ),
    "apiserver-accepts-allocated-configuration-of-no-request": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.requests\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-configurations-of-an-allocation-to-64": overlooking(
        r"status\.allocation\.devices\.config", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-share-of-a-device-with-any-id": overlooking(
        r"status\.allocation.*shareID", ErrorKind.INVALID
    ),
    "apiserver-accepts-reservation-without-an-allocation": overlooking(
        r"status\.reservedFor", ErrorKind.FORBIDDEN
    ),
    "apiserver-accepts-reservation-for-a-without-a-resource": overlooking(
        r"status\.reservedFor\[\d+\]\.resource", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-reservation-for-a-without-a-name": overlooking(
        r"status\.reservedFor\[\d+\]\.name", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-reservation-for-a-without-a-uid": overlooking(
        r"status\.reservedFor\[\d+\]\.uid", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-two-reservations-for-one-uid": overlooking(
        r"status\.reservedFor\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-does-not-limit-reservations-of-a-claim-to-256": overlooking(
        r"status\.reservedFor", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-status-of-a-device-that-is-not-allocated-to-the-claim": overlooking(
        r"status\.devices\[\d+\]", ErrorKind.INVALID, says="must be an allocated device"
    ),
    "apiserver-accepts-status-of-one-device-twice": overlooking(
        r"status\.devices\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-does-not-limit-conditions-of-an-allocated-device-to-8": overlooking(
        r"status\.devices\[\d+\]\.conditions", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-two-conditions-of-one-type-of-an-allocated-device": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-condition-of-an-allocated-device-with-an-unknown-status": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.status", ErrorKind.NOT_SUPPORTED
    ),
    "apiserver-accepts-condition-of-an-allocated-device-without-a-reason": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.reason", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-data-of-an-allocated-device-that-is-no-json-object": overlooking(
        r"status\.devices\[\d+\]\.data", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-data-of-an-allocated-device-to-10-kib": overlooking(
        r"status\.devices\[\d+\]\.data", ErrorKind.TOO_LONG
    ),
    "apiserver-does-not-limit-name-of-a-network-interface-to-256-characters": overlooking(
        r"status\.devices\[\d+\]\.networkData\.interfaceName", ErrorKind.TOO_LONG
    ),
    "apiserver-does-not-limit-hardware-address-to-128-characters": overlooking(
        r"status\.devices\[\d+\]\.networkData\.hardwareAddress", ErrorKind.TOO_LONG
    ),
    "apiserver-does-not-limit-addresses-of-a-network-device-to-16": overlooking(
        r"status\.devices\[\d+\]\.networkData\.ips", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-address-of-a-network-device-in-any-form": overlooking(
        r"status\.devices.*ips\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-accepts-address-of-a-network-device-twice": overlooking(
        r"status\.devices\[\d+\]\.networkData\.ips\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-change-of-an-allocation": overlooking(
        r"status\.allocation", ErrorKind.INVALID, says="immutable"
    ),
    "apiserver-accepts-condition-of-an-allocated-device-without-a-type": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.type", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-condition-of-an-allocated-device-whose-type-is-no-label-key": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.type", ErrorKind.INVALID
    ),
    "apiserver-accepts-condition-without-the-time-of-its-last-change": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.lastTransitionTime", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-condition-of-an-allocated-device-without-a-status": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.status", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-condition-whose-reason-is-not-one-word": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.reason", ErrorKind.INVALID
    ),
    "apiserver-accepts-condition-with-a-negative-observedgeneration": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.observedGeneration", ErrorKind.INVALID
    ),
    "apiserver-accepts-share-in-the-status-of-a-device-whose-id-is-no-uuid": overlooking(
        r"status\.devices\[\d+\]\.shareID", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-reason-of-a-condition-to-1024-characters": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.reason", ErrorKind.TOO_LONG
    ),
    "apiserver-does-not-limit-message-of-a-condition-to-32-kib": overlooking(
        r"status\.devices\[\d+\]\.conditions\[\d+\]\.message", ErrorKind.TOO_LONG
    ),
}
