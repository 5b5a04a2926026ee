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
    "apiserver-accepts-costly-expression-of-a-class": overlooking(
        r"spec\.selectors\[\d+\]\.cel\.expression", ErrorKind.FORBIDDEN, resource="deviceclasses"
    ),
    "apiserver-accepts-opaque-parameters-of-a-deviceclass-without-a-driver": overlooking(
        r"spec\.config\[\d+\]\.opaque\.driver", ErrorKind.REQUIRED, resource="deviceclasses"
    ),
    "apiserver-accepts-parameters-of-a-class-for-a-driver-of-any-name": overlooking(
        r"spec\.config\[\d+\]\.opaque\.driver", ErrorKind.INVALID, resource="deviceclasses"
    ),
    "apiserver-accepts-opaque-parameters-of-a-deviceclass-that-are-no-json-object": overlooking(
        r"spec\.config\[\d+\]\.opaque\.parameters", ErrorKind.INVALID, resource="deviceclasses"
    ),
    "apiserver-does-not-limit-expression-of-a-deviceclass-to-10-kib": overlooking(
        r"spec\.selectors\[\d+\]\.cel\.expression", ErrorKind.TOO_LONG, resource="deviceclasses"
    ),
    "apiserver-does-not-limit-opaque-parameters-of-a-deviceclass-to-10-kib": overlooking(
        r"spec\.config\[\d+\]\.opaque\.parameters", ErrorKind.TOO_LONG, resource="deviceclasses"
    ),
    "apiserver-accepts-rule-whose-taint-has-any-value": overlooking(
        r"spec\.taint\.value", ErrorKind.INVALID
    ),
    "apiserver-accepts-question-about-a-driver-of-any-name": overlooking(
        r"spec\.driver", ErrorKind.INVALID, resource="resourcepoolstatusrequests"
    ),
    "apiserver-accepts-question-about-a-pool-of-any-name": overlooking(
        r"spec\.poolName", ErrorKind.INVALID, resource="resourcepoolstatusrequests"
    ),
    "apiserver-accepts-resourcepoolstatusrequest-for-less-than-one-pool": overlooking(
        r"spec\.limit", ErrorKind.INVALID, says="greater", resource="resourcepoolstatusrequests"
    ),
    "apiserver-accepts-resourcepoolstatusrequest-for-more-than-1000-pools": overlooking(
        r"spec\.limit", ErrorKind.INVALID, says="less", resource="resourcepoolstatusrequests"
    ),
    "apiserver-accepts-defaultpartitiontypeattribute-without-a-domain": overlooking(
        r"spec\.defaultPartitionTypeAttribute",
        ErrorKind.INVALID,
        resource="resourcepoolstatusrequests",
    ),
}
