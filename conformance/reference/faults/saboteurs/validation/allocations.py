"""How an API server can overlook rules for the allocation of a claim."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-allocated-device-of-a-driver-of-any-name": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.driver", ErrorKind.INVALID
    ),
    "apiserver-accepts-allocated-device-of-a-pool-of-any-name": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.pool", ErrorKind.INVALID
    ),
    "apiserver-accepts-allocated-device-with-binding-conditions-alone": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.bindingFailureConditions",
        ErrorKind.INVALID,
        says="are required",
    ),
    "apiserver-accepts-allocated-device-with-failure-conditions-alone": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.bindingConditions",
        ErrorKind.INVALID,
        says="are required",
    ),
    "apiserver-accepts-allocated-device-with-any-binding-condition": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.bindingConditions\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-accepts-toleration-of-an-allocated-device-with-an-unknown-operator": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.tolerations\[\d+\]\.operator",
        ErrorKind.NOT_SUPPORTED,
    ),
    "apiserver-accepts-node-selector-of-an-allocation-with-an-unknown-operator": overlooking(
        r"status\.allocation\.nodeSelector\..*\.operator",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-configuration-of-an-allocation-that-names-a-request-twice": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.requests\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-configuration-of-an-allocation-without-parameters-for-a-driver": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.opaque", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-opaque-parameters-of-an-allocation-without-a-driver": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.opaque\.driver", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-opaque-parameters-of-an-allocation-that-are-no-json-object": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.opaque\.parameters", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-driver-name-of-an-allocated-device-to-63-characters": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.driver", ErrorKind.TOO_LONG
    ),
    "apiserver-does-not-limit-pool-name-of-an-allocated-device-to-253-characters": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.pool", ErrorKind.TOO_LONG
    ),
    "apiserver-does-not-limit-binding-conditions-of-an-allocated-device-to-4": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.bindingConditions", ErrorKind.TOO_MANY
    ),
    "apiserver-does-not-limit-binding-failure-conditions-of-an-allocated-device-to-4": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.bindingFailureConditions", ErrorKind.TOO_MANY
    ),
    "apiserver-does-not-limit-opaque-parameters-of-an-allocation-to-10-kib": overlooking(
        r"status\.allocation\.devices\.config\[\d+\]\.opaque\.parameters", ErrorKind.TOO_LONG
    ),
    "apiserver-accepts-allocated-device-that-skips-an-unknown-operation": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.skipNodeOperations\[\d+\]",
        ErrorKind.NOT_SUPPORTED,
    ),
    "apiserver-accepts-operation-that-an-allocated-device-skips-twice": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.skipNodeOperations\[\d+\]",
        ErrorKind.DUPLICATE,
    ),
    "apiserver-accepts-allocated-device-that-skips-preparing-alone": overlooking(
        r"status\.allocation\.devices\.results\[\d+\]\.skipNodeOperations", ErrorKind.INVALID
    ),
}
