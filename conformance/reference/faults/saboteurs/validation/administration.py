"""How an API server can overlook rules for DeviceClasses and DeviceTaintRules."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-does-not-limit-selectors-of-a-class-to-32": overlooking(
        r"spec\.selectors", ErrorKind.TOO_MANY, resource="deviceclasses"
    ),
    "apiserver-accepts-selector-of-a-class-without-a-language": overlooking(
        r"spec\.selectors\[\d+\]\.cel", ErrorKind.REQUIRED, resource="deviceclasses"
    ),
    "apiserver-accepts-expression-of-a-class-that-does-not-compile": overlooking(
        r"spec\.selectors.*expression", ErrorKind.INVALID, resource="deviceclasses"
    ),
    "apiserver-does-not-limit-configurations-of-a-class-to-32": overlooking(
        r"spec\.config", ErrorKind.TOO_MANY, resource="deviceclasses"
    ),
    "apiserver-accepts-configuration-of-a-class-without-parameters": overlooking(
        r"spec\.config\[\d+\]\.opaque", ErrorKind.REQUIRED, resource="deviceclasses"
    ),
    "apiserver-accepts-any-extended-resource-name-of-no-kind": overlooking(
        r"spec\.extendedResourceName", ErrorKind.INVALID
    ),
    "apiserver-accepts-rule-whose-taint-has-no-effect": overlooking(
        r"spec\.taint\.effect", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-rule-whose-taint-has-an-unknown-effect": overlooking(
        r"spec\.taint\.effect", ErrorKind.NOT_SUPPORTED
    ),
    "apiserver-accepts-rule-with-any-key": overlooking(r"spec\.taint\.key", ErrorKind.INVALID),
    "apiserver-accepts-rule-for-a-driver-of-any-name": overlooking(
        r"spec\.deviceSelector\.driver", ErrorKind.INVALID
    ),
    "apiserver-accepts-rule-for-a-pool-whose-name-is-none": overlooking(
        r"spec\.deviceSelector\.pool", ErrorKind.INVALID
    ),
    "apiserver-accepts-rule-for-a-device-whose-name-is-no-dns-label": overlooking(
        r"spec\.deviceSelector\.device", ErrorKind.INVALID
    ),
}
