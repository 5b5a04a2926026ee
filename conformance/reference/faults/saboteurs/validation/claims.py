"""How an API server can overlook rules for constraints, configurations and templates."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-constraint-on-no-attribute": overlooking(
        r"spec\.devices\.constraints\[\d+\]", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-constraint-on-an-attribute-without-a-domain": overlooking(
        r"spec\.devices\.constraints\[\d+\]\.matchAttribute",
        ErrorKind.INVALID,
        says="fully qualified",
    ),
    "apiserver-accepts-constraint-on-any-name": overlooking(
        r"spec\.devices\.constraints\[\d+\]\.matchAttribute", ErrorKind.INVALID, says="C identifier"
    ),
    "apiserver-accepts-distinct-attribute-without-a-domain": overlooking(
        r"spec\.devices\.constraints\[\d+\]\.distinctAttribute", ErrorKind.INVALID
    ),
    "apiserver-accepts-constraint-on-a-request-that-does-not-exist": overlooking(
        r"spec\.devices\.constraints\[\d+\]\.requests\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-accepts-constraint-that-names-a-request-twice": overlooking(
        r"spec\.devices\.constraints\[\d+\]\.requests\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-does-not-limit-constraints-of-a-claim-to-32": overlooking(
        r"spec\.devices\.constraints", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-configuration-without-parameters": overlooking(
        r"spec\.devices\.config\[\d+\]\.opaque", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-opaque-parameters-without-a-driver": overlooking(
        r"spec\.devices\.config\[\d+\]\.opaque\.driver", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-opaque-parameters-for-a-driver-of-any-name": overlooking(
        r"spec\.devices\.config\[\d+\]\.opaque\.driver", ErrorKind.INVALID
    ),
    "apiserver-accepts-opaque-parameters-that-are-absent": overlooking(
        r"spec\.devices\.config\[\d+\]\.opaque\.parameters", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-opaque-parameters-that-are-no-json-object": overlooking(
        r".*opaque\.parameters", ErrorKind.INVALID
    ),
    "apiserver-does-not-limit-opaque-parameters-to-10-kib": overlooking(
        r"spec\.devices\.config\[\d+\]\.opaque\.parameters", ErrorKind.TOO_LONG
    ),
    "apiserver-accepts-configuration-for-a-request-that-does-not-exist": overlooking(
        r"spec\.devices\.config\[\d+\]\.requests\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-accepts-configuration-that-names-a-request-twice": overlooking(
        r"spec\.devices\.config\[\d+\]\.requests\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-does-not-limit-configurations-of-a-claim-to-32": overlooking(
        r"spec\.devices\.config", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-change-of-the-spec-of-a-claim": overlooking(
        r"spec", ErrorKind.INVALID, says="immutable", resource="resourceclaims"
    ),
    "apiserver-accepts-change-of-the-spec-of-a-template": overlooking(
        r"spec", ErrorKind.INVALID, says="immutable", resource="resourceclaimtemplates"
    ),
    "apiserver-accepts-template-whose-claims-could-not-be-created": overlooking(
        r"spec\.spec\..*", ErrorKind.NOT_SUPPORTED
    ),
    "apiserver-accepts-template-with-a-label-that-no-object-can-have": overlooking(
        r"spec\.metadata\.labels", ErrorKind.INVALID
    ),
}
