"""The shape of a kubeconfig: what a client needs of it to reach a server, and what is missing.

``written`` is what every cluster of ours hands out. The rest is a rule over the parsed document
alone: no file is read, no name resolved. It says what the library that loads kubeconfigs leaves
to an exception of its own, or to the first request.
"""

from __future__ import annotations

import base64
import difflib
from pathlib import PurePath
from typing import Any, cast
from urllib.parse import urlsplit

from conformance.kube.objects import Object

#: So many names stand in a sentence.
_NAMED = 5


def written(server: str, token: str | PurePath, *, name: str, authority: bytes = b"") -> Object:
    """Return a kubeconfig of one user who is known by a token, or by the one that is in a file.

    The path of such a file must be absolute; otherwise no other file is needed. ``name`` is that
    of its cluster, user and context; ``authority`` the certificate that the server is trusted by,
    where it speaks TLS.
    """
    cluster: Object = {"server": server}
    if authority:
        cluster["certificate-authority-data"] = base64.b64encode(authority).decode("ascii")
    in_file = isinstance(token, PurePath)
    user = {"tokenFile": str(token)} if in_file else {"token": token}
    context = {"cluster": name, "user": name, "namespace": "default"}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "users": [{"name": name, "user": user}],
        "contexts": [{"name": name, "context": context}],
        "current-context": name,
    }


def trouble(document: Any, context: str | None = None) -> str | None:
    """Return what is wrong with a kubeconfig in a sentence, None where a client can be made.

    ``context`` is the one that was asked for instead of the current one.
    """
    if not isinstance(document, dict):
        return "it holds no kubeconfig: expected a mapping with clusters, users and contexts"
    root = cast("Object", document)
    found = _context(root, context)
    if isinstance(found, str):
        return found
    server = _server(root, found)
    return server or _user(root, found)


def plugin(document: Any, context: str | None = None) -> str | None:
    """Return the program that gives the credentials, None where the file does so itself.

    For a kubeconfig without ``trouble``.
    """
    root = cast("Object", document)
    chosen = _context(root, context)
    name = "" if isinstance(chosen, str) else str(chosen.get("user") or "")
    body: Any = _named(root, "users").get(name, {}).get("user")
    execute: Any = cast("Object", body).get("exec") if isinstance(body, dict) else None
    return str(execute.get("command") or "") if isinstance(execute, dict) else None


def _context(root: Object, asked: str | None) -> Object | str:
    """Return the context, or the sentence that says why there is none."""
    contexts = _named(root, "contexts")
    name = asked or root.get("current-context")
    if not name:
        return "it has no current-context; give one, or choose by --context"
    if name not in contexts:
        return f"no context is called {name!r}{_near(str(name), contexts)}"
    body = contexts[str(name)].get("context")
    if not isinstance(body, dict):
        return f"the context {name!r} names no cluster"
    return cast("Object", body)


def _server(root: Object, context: Object) -> str | None:
    clusters = _named(root, "clusters")
    name = str(context.get("cluster") or "")
    if name not in clusters:
        return f"no cluster is called {name!r}{_near(name, clusters)}"
    body: Any = clusters[name].get("cluster")
    server = cast("Object", body).get("server") if isinstance(body, dict) else None
    if not server:
        return f"the cluster {name!r} has no server"
    return None if is_url(str(server)) else f"the server {server!r} is no http or https URL"


def _user(root: Object, context: Object) -> str | None:
    users = _named(root, "users")
    name = str(context.get("user") or "")
    return f"no user is called {name!r}{_near(name, users)}" if name and name not in users else None


def _named(root: Object, key: str) -> dict[str, Object]:
    rows: Any = root.get(key)
    if not isinstance(rows, list):
        return {}
    return {
        str(row["name"]): cast("Object", row)
        for row in cast("list[Any]", rows)
        if isinstance(row, dict) and "name" in row
    }


def is_url(text: str) -> bool:
    """Tell whether a text is a URL of http or https that leads somewhere."""
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        # A port that is no number, or beyond 65535.
        return False


def _near(name: str, known: dict[str, Object]) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there is {', '.join(sorted(known)[:_NAMED])}" if known else ""
