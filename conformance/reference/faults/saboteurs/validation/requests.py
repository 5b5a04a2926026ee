"""How an API server can overlook rules for the requests of a claim."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-request-whose-name-is-no-dns-label": overlooking(
        r"spec\.devices\.requests\[\d+\]\.name", ErrorKind.INVALID
    ),
    "apiserver-accepts-two-requests-of-one-name": overlooking(
        r"spec\.devices\.requests\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-does-not-limit-requests-of-a-claim-to-32": overlooking(
        r"spec\.devices\.requests", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-request-that-asks-for-nothing": overlooking(
        r"spec\.devices\.requests\[\d+\]", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-request-that-asks-exactly-and-with-alternatives": overlooking(
        r"spec\.devices\.requests\[\d+\]", ErrorKind.INVALID
    ),
    "apiserver-accepts-request-without-a-class": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.deviceClassName", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-deviceclass-name-that-is-no-dns-subdomain": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.deviceClassName", ErrorKind.INVALID
    ),
    "apiserver-accepts-unknown-allocation-mode": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.allocationMode", ErrorKind.NOT_SUPPORTED
    ),
    "apiserver-accepts-count-of-less-than-one": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.count",
        ErrorKind.INVALID,
        says="greater than zero",
    ),
    "apiserver-accepts-count-together-with-the-allocation-mode-all": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.count",
        ErrorKind.INVALID,
        says="must not be specified",
    ),
    "apiserver-does-not-limit-selectors-of-a-request-to-32": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.selectors", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-selector-without-a-language": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.selectors\[\d+\]\.cel", ErrorKind.REQUIRED
    ),
    "apiserver-accepts-expression-that-is-not-cel": overlooking(
        r".*exactly\.selectors.*", ErrorKind.INVALID, says="Syntax error"
    ),
    "apiserver-accepts-expression-that-does-not-return-a-bool": overlooking(
        r".*exactly\.selectors.*", ErrorKind.INVALID, says="must evaluate to bool"
    ),
    "apiserver-accepts-expression-with-a-field-that-no-device-has": overlooking(
        r".*exactly\.selectors.*", ErrorKind.INVALID, says="reference to 'device"
    ),
    "apiserver-accepts-expression-with-a-name-that-is-not-declared": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.INVALID,
        says="reference to 'pod",
    ),
    "apiserver-accepts-expression-that-compares-values-of-two-types": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.INVALID,
        says="no matching overload",
    ),
    "apiserver-does-not-limit-cel-expression-to-10-kib": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.TOO_LONG,
    ),
    "apiserver-accepts-expression-whose-estimated-cost-is-above-the-limit": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.FORBIDDEN,
        says="cost limit",
    ),
    "apiserver-accepts-toleration-with-an-unknown-operator": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.tolerations\[\d+\]\.operator",
        ErrorKind.NOT_SUPPORTED,
    ),
    "apiserver-accepts-toleration-of-existence-with-a-value": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.tolerations\[\d+\]\.value",
        ErrorKind.INVALID,
        says="must be empty",
    ),
    "apiserver-accepts-toleration-with-an-unknown-effect": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.tolerations\[\d+\]\.effect",
        ErrorKind.NOT_SUPPORTED,
    ),
    "apiserver-accepts-toleration-whose-key-is-no-label-key": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.tolerations\[\d+\]\.key", ErrorKind.INVALID
    ),
    "apiserver-accepts-toleration-whose-value-is-no-label-value": overlooking(
        r"spec\.devices\.requests\[\d+\]\.exactly\.tolerations\[\d+\]\.value",
        ErrorKind.INVALID,
        says_not="must be empty",
    ),
    "apiserver-does-not-limit-alternatives-of-a-request-to-8": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-two-alternatives-of-one-name": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]", ErrorKind.DUPLICATE
    ),
    "apiserver-accepts-alternative-whose-name-is-no-dns-label": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.name", ErrorKind.INVALID
    ),
    "apiserver-accepts-alternative-without-a-class": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.deviceClassName",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-alternative-with-an-unknown-allocation-mode": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.allocationMode",
        ErrorKind.NOT_SUPPORTED,
    ),
    "apiserver-accepts-alternative-that-counts-and-wants-all": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.count",
        ErrorKind.INVALID,
        says="must not be specified",
    ),
    "apiserver-does-not-limit-selectors-of-an-alternative-to-32": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.selectors", ErrorKind.TOO_MANY
    ),
    "apiserver-accepts-expression-of-an-alternative-that-is-not-cel": overlooking(
        r"spec\.devices\.requests\[\d+\]\.firstAvailable\[\d+\]\.selectors\[\d+\]\.cel\.expression",
        ErrorKind.INVALID,
        says="Syntax error",
    ),
}
