"""Tokens of ServiceAccounts: minted for a TokenRequest, read when somebody asks with one.

A token is a JSON Web Token with the claims that Kubernetes puts into it. Its signature is an
HMAC with a key of this server alone, where a real cluster signs with a private key that others
can verify (see ``SIMPLIFICATIONS``).

Source: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import json
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import attrs

from conformance.kube import fields, status, times
from conformance.kube.objects import Object
from conformance.reference.apiserver.authentication import users
from conformance.reference.apiserver.authentication.users import User
from conformance.reference.clock import Clock
from conformance.reference.store.memory import Store

ISSUER = "https://kubernetes.default.svc"

#: Seconds that a token is valid, where nobody asked for another time, and at least.
DEFAULT_SECONDS, LEAST_SECONDS = 3600, 600

_ACCOUNTS = "/serviceaccounts"
_EXTRA = "authentication.kubernetes.io/"

#: Where the objects lie that a token can be bound to.
_BOUND = {"Pod": "/pods", "Node": "/nodes"}


@attrs.frozen(kw_only=True)
class Tokens:
    """The tokens of the ServiceAccounts in a store."""

    store: Store
    clock: Clock
    key: bytes
    _numbers: Iterator[int] = attrs.field(factory=itertools.count, init=False)

    def mint(self, account: Object, request: Object) -> Object:
        """Return a TokenRequest with its token.

        Raises ``StatusError``: 422 for a lifetime that is too short, 404 or 409 for an object
        that the token cannot be bound to.
        """
        spec: Object = request.get("spec") or {}
        seconds = int(spec.get("expirationSeconds") or DEFAULT_SECONDS)
        if seconds < LEAST_SECONDS:
            wrong = fields.invalid(
                "spec.expirationSeconds", seconds, "may not specify a duration less than 10 minutes"
            )
            raise status.invalid("TokenRequest", "authentication.k8s.io", "", [wrong])
        meta, now = account["metadata"], self.clock.now()
        audiences = spec.get("audiences") or [ISSUER]
        expires = now + timedelta(seconds=seconds)
        private: Object = {
            "namespace": meta["namespace"],
            "serviceaccount": {"name": meta["name"], "uid": meta["uid"]},
            **self._binding(meta["namespace"], meta["name"], spec.get("boundObjectRef") or {}),
        }
        claims: Object = {
            "aud": audiences,
            "exp": int(expires.timestamp()),
            "iat": int(now.timestamp()),
            "nbf": int(now.timestamp()),
            "iss": ISSUER,
            "jti": self._fresh_id(),
            "sub": f"{users.ACCOUNT_PREFIX}{meta['namespace']}:{meta['name']}",
            "kubernetes.io": private,
        }
        answer: Object = {
            "token": self._write(claims),
            "expirationTimestamp": times.format_time(expires),
        }
        kept = {**spec, "audiences": audiences, "expirationSeconds": seconds}
        named = {"name": meta["name"], "namespace": meta["namespace"]}
        return {**request, "metadata": named, "spec": kept, "status": answer}

    def read(self, token: str) -> User | None:
        """Return whose valid token this is; nothing for any other text.

        A token ends with its time, with its account and with the object that it is bound to.
        """
        claims = self._claims(token)
        if claims is None or claims["exp"] <= self.clock.now().timestamp():
            return None
        if ISSUER not in claims["aud"]:
            return None
        private = claims["kubernetes.io"]
        namespace, told = private["namespace"], private["serviceaccount"]
        if not self._lives(_ACCOUNTS, namespace, told):
            return None
        extra: dict[str, tuple[str, ...]] = {f"{_EXTRA}credential-id": (f"JTI={claims['jti']}",)}
        for kind in _BOUND:
            bound = private.get(kind.lower())
            if bound is None:
                continue
            extra[f"{_EXTRA}{kind.lower()}-name"] = (bound["name"],)
            extra[f"{_EXTRA}{kind.lower()}-uid"] = (bound["uid"],)
        # The node of a token that is bound to a Pod is told; the Pod alone is looked at.
        kind = "Pod" if "pod" in private else "Node"
        bound = private.get(kind.lower())
        where = namespace if kind == "Pod" else ""
        if bound is not None and not self._lives(_BOUND[kind], where, bound):
            return None
        return users.account(namespace, told["name"], told["uid"], extra)

    def _binding(self, namespace: str, account: str, reference: Object) -> Object:
        kind = reference.get("kind", "")
        if not kind:
            return {}
        if kind not in _BOUND:
            raise status.bad_request(f"cannot bind token to object of type v1, Kind={kind}")
        name, where = reference.get("name", ""), namespace if kind == "Pod" else ""
        found = self.store.get(_BOUND[kind], (where, name))
        if found is None:
            raise status.not_found(_BOUND[kind][1:], "", name)
        uid = found["metadata"]["uid"]
        if reference.get("uid", uid) != uid:
            raise status.conflict(_BOUND[kind][1:], "", name, "the UID does not match")
        binding: Object = {kind.lower(): {"name": name, "uid": uid}}
        if kind == "Pod":
            if (found["spec"].get("serviceAccountName") or "default") != account:
                raise status.bad_request("cannot bind token for a Pod of another account")
            binding |= self._node_of(found)
        return binding

    def _node_of(self, pod: Object) -> Object:
        name = pod["spec"].get("nodeName", "")
        node = self.store.get("/nodes", ("", name)) if name else None
        if not name:
            return {}
        return {"node": {"name": name, "uid": node["metadata"]["uid"] if node else ""}}

    def _fresh_id(self) -> str:
        """Return what tells a token from all others, also from one of the same second."""
        seed = self._sign(f"token {next(self._numbers)}")
        return str(uuid.UUID(bytes=seed[:16], version=4))

    def _lives(self, storage: str, namespace: str, told: Object) -> bool:
        found = self.store.get(storage, (namespace, told["name"]))
        return found is not None and found["metadata"]["uid"] == told["uid"]

    def _write(self, claims: Object) -> str:
        header = {"alg": "HS256", "typ": "JWT"}
        signed = ".".join(_encode(json.dumps(part).encode()) for part in (header, claims))
        return f"{signed}.{_encode(self._sign(signed))}"

    def _claims(self, token: str) -> Any:
        if not token.isascii():
            return None
        signed, _, signature = token.rpartition(".")
        if not hmac.compare_digest(_encode(self._sign(signed)), signature):
            return None
        body = signed.partition(".")[2]
        return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))

    def _sign(self, text: str) -> bytes:
        return hmac.new(self.key, text.encode(), hashlib.sha256).digest()


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
