"""How an API server can overlook rules for alternatives and derived attributes."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-deviceclass-name-of-an-alternative-that-is-no-dns-subdomain": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.deviceClassName", ErrorKind.INVALID
    ),
    "apiserver-accepts-count-of-an-alternative-of-less-than-one": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.count",
        ErrorKind.INVALID,
        says="greater than zero",
    ),
    "apiserver-accepts-selector-of-an-alternative-without-an-expression-language": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.selectors\[\d+\]\.cel",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-expression-of-an-alternative-that-does-not-return-a-bool": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.INVALID,
        says="must evaluate to bool",
    ),
    "apiserver-accepts-costly-expression-of-an-alternative": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.FORBIDDEN,
    ),
    "apiserver-accepts-toleration-of-an-alternative-with-an-unknown-operator": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.tolerations\[\d+\]\.operator",
        ErrorKind.NOT_SUPPORTED,
    ),
    "apiserver-accepts-toleration-of-an-alternative-of-existence-with-a-value": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.tolerations\[\d+\]\.value",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-toleration-of-an-alternative-with-an-unknown-effect": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.tolerations\[\d+\]\.effect",
        ErrorKind.NOT_SUPPORTED,
    ),
    "apiserver-accepts-toleration-of-an-alternative-whose-key-is-no-label-key": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.tolerations\[\d+\]\.key",
        ErrorKind.INVALID,
    ),
    "apiserver-does-not-limit-expression-of-an-alternative-to-10-kib": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.TOO_LONG,
    ),
    "apiserver-does-not-limit-requests-that-a-constraint-names-to-32": overlooking(
        r"spec\.devices\.constraints\[\d+\]\.requests", ErrorKind.TOO_MANY
    ),
    "apiserver-does-not-limit-requests-that-a-configuration-names-to-32": overlooking(
        r"spec\.devices\.config\[\d+\]\.requests", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-derived-attribute-without-a-name": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]\.name",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-derived-attribute-whose-name-has-no-domain": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]\.name",
        ErrorKind.INVALID,
        says="fully qualified",
    ),
    "apiserver-accepts-derived-attribute-without-an-expression": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]\.expression",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-derived-attribute-of-no-use": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]\.name",
        ErrorKind.INVALID,
        says="must be referenced",
    ),
    "apiserver-accepts-two-derived-attributes-of-one-name": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-expression-of-a-derived-attribute-that-is-not-cel": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]\.expression",
        ErrorKind.INVALID,
        says="Syntax error",
    ),
    "apiserver-accepts-expression-of-a-derived-attribute-of-any-value": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]\.expression",
        ErrorKind.INVALID,
        says_not="Syntax error",
    ),
    "apiserver-accepts-costly-expression-of-a-derived-attribute": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.derivedAttributes\[\d+\]\.expression",
        ErrorKind.FORBIDDEN,
    ),
}
