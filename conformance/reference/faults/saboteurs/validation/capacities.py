"""How an API server can overlook rules for the capacity policies of a device."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.fields import ErrorKind
from conformance.reference.faults.saboteurs.validation.overlooking import overlooking
from conformance.reference.faults.seams import Saboteur

#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-accepts-requestpolicy-of-a-device-that-is-given-out-once": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy",
        ErrorKind.FORBIDDEN,
        says="allowMultipleAllocations",
    ),
    "apiserver-accepts-requestpolicy-with-a-range-and-values": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy",
        ErrorKind.FORBIDDEN,
        says="at the same time",
    ),
    "apiserver-accepts-requestpolicy-with-valid-values-and-without-a-default": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.default",
        ErrorKind.REQUIRED,
        says="validValues",
    ),
    "apiserver-accepts-requestpolicy-with-a-valid-range-and-without-a-default": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.default",
        ErrorKind.REQUIRED,
        says="validRange",
    ),
    "apiserver-does-not-limit-valid-values-of-a-requestpolicy-to-10": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validValues",
        ErrorKind.TOO_MANY,
        whole=True,
    ),
    "apiserver-accepts-valid-values-that-are-not-sorted": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validValues\[\d+\]",
        ErrorKind.INVALID,
        says="ascending",
    ),
    "apiserver-accepts-valid-value-that-stands-twice": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validValues\[\d+\]",
        ErrorKind.DUPLICATE,
    ),
    "apiserver-accepts-valid-value-above-the-capacity": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validValues\[\d+\]",
        ErrorKind.INVALID,
        says="larger than capacity",
    ),
    "apiserver-accepts-default-that-is-none-of-the-valid-values": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validValues",
        ErrorKind.INVALID,
        says="default value is not valid",
    ),
    "apiserver-accepts-valid-range-without-a-minimum": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.min",
        ErrorKind.REQUIRED,
    ),
    "apiserver-accepts-valid-range-whose-minimum-is-above-the-capacity": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.min",
        ErrorKind.INVALID,
    ),
    "apiserver-accepts-valid-range-whose-maximum-is-above-the-capacity": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.max",
        ErrorKind.INVALID,
        says="max is larger than capacity",
    ),
    "apiserver-accepts-valid-range-whose-minimum-is-above-its-maximum": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.max",
        ErrorKind.INVALID,
        says="min is larger than max",
    ),
    "apiserver-accepts-default-below-the-minimum-of-its-range": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.default",
        ErrorKind.INVALID,
        says="less than min",
    ),
    "apiserver-accepts-default-above-the-maximum-of-its-range": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.default",
        ErrorKind.INVALID,
        says="more than max",
    ),
    "apiserver-accepts-step-that-is-not-positive": overlooking(
        r".*validRange\.step", ErrorKind.INVALID, says="greater than zero"
    ),
    "apiserver-accepts-step-that-no-request-could-take": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.step",
        ErrorKind.INVALID,
        says="one step",
    ),
    "apiserver-accepts-default-that-lies-between-two-steps": overlooking(
        r"spec\.devices\[\d+\]\.capacity\[memory\]\.requestPolicy\.validRange\.step",
        ErrorKind.INVALID,
        says="multiple of a given step",
    ),
}
