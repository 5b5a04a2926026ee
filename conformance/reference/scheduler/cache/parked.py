"""Pods that wait for something to happen, found by what they wait for."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.kube.objects import Object, key_of, namespace_of, owner_of, uid_of
from conformance.reference.podclaims import known_claim_names


class Parked:
    """Keys of waiting Pods."""

    def __init__(self) -> None:
        self._tokens: dict[str, tuple[str, ...]] = {}
        self._waiting: dict[str, set[str]] = {}

    def __iter__(self) -> Iterator[str]:
        """Yield every key, in the order in which they came; changes meanwhile are allowed."""
        return iter(tuple(self._tokens))

    def add(self, key: str, pod: Object) -> None:
        """Let a Pod wait."""
        self.discard(key)
        names = (f"{namespace_of(pod)}/{name}" for name in known_claim_names(pod))
        # Two entries of a Pod may name one claim.
        tokens = self._tokens[key] = tuple(dict.fromkeys((uid_of(pod), *names)))
        for token in tokens:
            self._waiting.setdefault(token, set()).add(key)

    def discard(self, key: str) -> None:
        """Let a Pod wait no longer."""
        for token in self._tokens.pop(key, ()):
            waiting = self._waiting[token]
            waiting.discard(key)
            if not waiting:
                del self._waiting[token]

    def users(self, claim: Object) -> list[str]:
        """Return the Pods that refer to the claim, or that it was generated for."""
        owner = owner_of(claim)
        tokens = (key_of(claim), owner.get("uid", "") if owner else "")
        return sorted({key for token in tokens for key in self._waiting.get(token, ())})
