"""Who sent a request: a bearer token, and whom its owner asks to act as."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import attrs
from multidict import CIMultiDictProxy

from conformance.kube import status
from conformance.reference.apiserver.authentication import users
from conformance.reference.apiserver.authentication.tokens import Tokens
from conformance.reference.apiserver.authentication.users import Known, User
from conformance.trust.rotation import Rotation

#: ``(user, group, resource, subresource, namespace, name)``: raises 403 unless the user may
#: impersonate that.
Permit = Callable[[User, str, str, str, str, str], None]

_AUTHENTICATION = "authentication.k8s.io"
_EXTRA = "impersonate-extra-"

Headers = CIMultiDictProxy[str]


@attrs.frozen(kw_only=True)
class Askers:
    """Everybody whom the server knows."""

    known: Known
    tokens: Tokens
    #: Whose token of a ServiceAccount a text is: ``tokens.read``.
    read_token: Callable[[str], User | None]
    #: Tokens that were replaced.
    rotation: Rotation = attrs.field(factory=Rotation)

    def of(self, headers: Headers, permit: Permit, *, secure: bool = False) -> User:
        """Return who sent a request with these headers, over TLS if ``secure``.

        Raises ``StatusError``: 401 for a wrong token, 403 for an impersonation that is not
        allowed.
        """
        header = headers.get("Authorization", "")
        if not header:
            return _acting(users.ANONYMOUS if secure else self.known.nobody, headers, permit)
        scheme, _, token = header.partition(" ")
        user = self.owner(token.strip()) if scheme.lower() == "bearer" else None
        if user is None:
            raise status.unauthorized()
        return _acting(user, headers, permit)

    def owner(self, token: str) -> User | None:
        """Return whose valid token this is, if anybody's."""
        if not self.rotation.shown(token):
            return None
        return self.known.tokens.get(token) or self.read_token(token)


def _acting(user: User, headers: Headers, permit: Permit) -> User:
    """Return the user whom the headers ask to act as."""
    name = headers.get("Impersonate-User", "")
    groups = headers.getall("Impersonate-Group", [])
    uid = headers.get("Impersonate-Uid", "")
    extra = _extra(headers)
    if not name:
        if groups or uid or extra:
            raise status.bad_request("requested impersonation without impersonating a user")
        return user
    account = users.account_of(name)
    wanted = [("", "serviceaccounts", "", *account) if account else ("", "users", "", "", name)]
    wanted += [("", "groups", "", "", group) for group in groups]
    wanted += [
        (_AUTHENTICATION, "userextras", key, "", value)
        for key, values in extra.items()
        for value in values
    ]
    wanted += [(_AUTHENTICATION, "uids", "", "", uid)] if uid else []
    for what in wanted:
        permit(user, *what)
    if name == users.ANONYMOUS.name:
        return users.ANONYMOUS
    if account and not groups:
        groups = list(users.account_groups(account[0]))
    member = users.with_group(groups, users.AUTHENTICATED)
    return User(name=name, uid=uid, groups=member, extra=extra)


def _extra(headers: Headers) -> dict[str, tuple[str, ...]]:
    extra: dict[str, tuple[str, ...]] = {}
    for header, value in headers.items():
        if header.lower().startswith(_EXTRA):
            key = unquote(header[len(_EXTRA) :].lower())
            extra[key] = (*extra.get(key, ()), value)
    return extra
