"""Schedulers for which an expression with a certain word in it is never true."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.kube.objects import Object
from conformance.reference.faults.saboteurs import altering
from conformance.reference.faults.seams import Saboteur


def _without(word: str) -> Saboteur:
    """Return a saboteur of the allocation that takes no device by such an expression."""

    def forget(claim: Object) -> None:
        for request in claim["spec"]["devices"]["requests"]:
            for selector in (request.get("exactly") or {}).get("selectors") or []:
                if word in selector["cel"]["expression"]:
                    selector["cel"]["expression"] = "false"

    return altering.claims(forget)


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "scheduler-cannot-tell-that-one-quantity-is-more-than-another": _without(
        "isGreaterThan(quantity"
    ),
    "scheduler-cannot-tell-that-one-quantity-is-less-than-another": _without("isLessThan(quantity"),
    "scheduler-cannot-add-quantities": _without(".add("),
    "scheduler-cannot-subtract-quantities": _without(".sub("),
    "scheduler-cannot-tell-the-sign-of-a-quantity": _without("sign("),
    "scheduler-cannot-read-a-quantity-as-an-integer": _without("asInteger()"),
    "scheduler-cannot-read-a-quantity-as-a-floating-point-number": _without("asApproximateFloat()"),
    "scheduler-cannot-tell-whether-a-text-is-a-quantity": _without("isQuantity("),
    "scheduler-cannot-tell-that-one-version-comes-before-another": _without(
        'isLessThan(semver("2.'
    ),
    "scheduler-cannot-compare-versions-by-precedence": _without("compareTo(semver"),
    "scheduler-cannot-put-a-pre-release-before-its-release": _without('semver("1.0.0"))  '),
    "scheduler-cannot-read-the-parts-of-a-version": _without(".major()"),
    "scheduler-cannot-tell-whether-a-text-is-a-version": _without("isSemver("),
    "scheduler-cannot-normalize-a-version-that-is-none-yet": _without(", true)"),
    "scheduler-cannot-look-for-a-text-in-another": _without('.contains("'),
    "scheduler-cannot-compare-the-end-of-a-text": _without("endsWith("),
    "scheduler-cannot-match-a-regular-expression": _without(".matches("),
    "scheduler-cannot-measure-a-text": _without(".size() == 4"),
    "scheduler-cannot-lower-the-case-of-a-text": _without("lowerAscii()"),
    "scheduler-cannot-raise-the-case-of-a-text": _without("upperAscii()"),
    "scheduler-cannot-split-a-text": _without(".split("),
    "scheduler-cannot-replace-a-part-of-a-text": _without(".replace("),
    "scheduler-cannot-trim-a-text": _without(".trim()"),
    "scheduler-cannot-find-the-place-of-a-text-in-another": _without('.indexOf("'),
    "scheduler-cannot-cut-a-text": _without(".substring("),
    "scheduler-cannot-find-what-a-regular-expression-matches": _without(".find("),
    "scheduler-cannot-find-all-that-a-regular-expression-matches": _without(".findAll("),
    "scheduler-cannot-tell-whether-a-value-is-one-of-a-list": _without(' in ["b"'),
    "scheduler-cannot-add-up-a-list": _without(".sum()"),
    "scheduler-cannot-take-the-least-of-a-list": _without(".min()"),
    "scheduler-cannot-take-the-most-of-a-list": _without(".max()"),
    "scheduler-cannot-tell-whether-a-list-is-sorted": _without("isSorted()"),
    "scheduler-cannot-find-the-place-of-a-value-in-a-list": _without("].indexOf("),
    "scheduler-cannot-find-the-last-place-of-a-value-in-a-list": _without("lastIndexOf("),
    "scheduler-cannot-tell-whether-one-set-holds-another": _without("sets.contains"),
    "scheduler-cannot-tell-whether-two-sets-are-the-same": _without("sets.equivalent"),
    "scheduler-cannot-tell-whether-two-sets-have-something-in-common": _without("sets.intersects"),
    "scheduler-cannot-ask-something-of-all-elements": _without(".all(x"),
    "scheduler-cannot-ask-something-of-some-element": _without(".exists(x"),
    "scheduler-cannot-ask-something-of-exactly-one-element": _without("exists_one("),
    "scheduler-cannot-filter-a-list": _without(".filter("),
    "scheduler-cannot-map-a-list": _without(".map("),
    "scheduler-cannot-calculate-with-integers": _without("% 10"),
    "scheduler-cannot-choose-between-two-values": _without('? "more"'),
    "scheduler-cannot-give-a-name-to-a-value": _without("cel.bind"),
    "scheduler-cannot-be-true-where-one-side-of-an-or-is-true-and-the-other-fails": _without(
        ".none == 1 || true"
    ),
    "scheduler-cannot-be-false-where-one-side-of-an-and-is-false-and-the-other-fails": _without(
        ".none == 1 && false"
    ),
    "scheduler-cannot-go-on-from-what-is-optional": _without("orValue("),
    "scheduler-cannot-ask-whether-a-device-has-an-attribute": _without(
        '"a" in device.attributes["d.example"]  '
    ),
    "scheduler-cannot-ask-by-has-whether-a-device-has-an-attribute": _without("has("),
    "scheduler-cannot-ask-whether-a-device-has-attributes-of-a-domain": _without(
        '"d.example" in device.attributes'
    ),
    "scheduler-cannot-find-no-attribute-in-a-domain-that-a-device-does-not-have": _without(
        '"e.example"].size()'
    ),
    "scheduler-cannot-ask-for-the-names-of-all-attributes-of-a-domain": _without(".exists(n"),
    "scheduler-cannot-ask-whether-a-device-has-a-capacity": _without('"memory" in'),
    "scheduler-cannot-ask-whether-a-device-can-be-allocated-several-times": _without(
        "device.allowMultipleAllocations"
    ),
}
