"""Take secrets out of what is kept as evidence.

Bearer tokens, private keys, the credentials of a kubeconfig and the data of Secret objects
are replaced by a mark, in JSON values and in free text. Names and keys stay: a reader
should see that a secret was there, never what it was.
"""

from __future__ import annotations

import re
from typing import Any, cast

#: What stands in the place of a secret.
MARK = "[redacted]"

#: Keys whose string value is a credential wherever it stands, without ``-`` and ``_``.
_CREDENTIALS = frozenset(
    {
        "authorization",
        "bearertoken",
        "clientkeydata",
        "clientsecret",
        "idtoken",
        "password",
        "refreshtoken",
        "token",
    }
)

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_STRING = r'"(?:[^"\\]|\\.)*(?:"|\Z)'
_NAMES = (
    r"authorization|bearer[-_]?token|client[-_]?key[-_]?data|client[-_]?secret"
    r"|id[-_]?token|refresh[-_]?token|password|token"
)

_KEYWORDS = ("authorization", "token", "client", "password")

#: Words without which a pattern cannot match, the pattern, and what it becomes. Most evidence
#: holds no credential, and looking for a word costs a hundredth of looking for a pattern.
_TEXT = (
    (
        ("private key",),
        re.compile(r"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(?:-----END \1-----|\Z)", re.DOTALL),
        MARK,
    ),
    (
        ("bearer",),
        re.compile(r"\bBearer\s+(?!\[redacted\])[^\s\"',;]+", re.IGNORECASE),
        f"Bearer {MARK}",
    ),
    (("eyj",), re.compile(r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"), MARK),
    (
        _KEYWORDS,
        re.compile(rf'("(?:{_NAMES})"\s*:\s*){_STRING}', re.IGNORECASE),
        rf'\1"{MARK}"',
    ),
    (
        _KEYWORDS,
        re.compile(rf"('(?:{_NAMES})'\s*:\s*)'[^'\n]*'?", re.IGNORECASE),
        rf"\1'{MARK}'",
    ),
    (
        _KEYWORDS,
        re.compile(rf"(?im)(^[ \t]*(?:- )?(?:{_NAMES}):[ \t]+)(?!Bearer\b)\S.*$"),
        rf"\1{MARK}",
    ),
    (
        ("--token", "--password"),
        re.compile(r"(--(?:token|password)[= ])[^\s\"']+"),
        rf"\1{MARK}",
    ),
)

_SECRET = re.compile(r"\bkind[\"']?\s*:\s*[\"']?Secret(?:List)?\b")
_JSON_DATA = re.compile(rf'("(?:data|stringData)"\s*:\s*\{{)((?:[^{{}}"]|{_STRING})*)')
_JSON_VALUE = re.compile(rf"(:\s*){_STRING}")
_JSON_APPLIED = re.compile(rf'("{re.escape(_LAST_APPLIED)}"\s*:\s*){_STRING}')
_YAML_DATA = re.compile(r"(?m)^([ \t]*)(?:data|stringData):[ \t]*\n((?:\1[ \t]+.*(?:\n|\Z))+)")
_YAML_FLOW = re.compile(r"(?m)^([ \t]*(?:data|stringData):[ \t]*)\{[^}]*\}?")
_YAML_VALUE = re.compile(r"(?m)^(\s*[\w.-]+:[ \t]).*(?:\n(?![ \t]*[\w.-]+:[ \t]).+)*$")


def redact_text(text: str) -> str:
    """Return ``text`` with every credential replaced; whole documents or cut ones alike."""
    lowered = text.lower()
    for words, pattern, replacement in _TEXT:
        if any(word in lowered for word in words):
            text = pattern.sub(replacement, text)
    if "secret" not in lowered or not _SECRET.search(text):
        return text
    text = _JSON_APPLIED.sub(rf'\1"{MARK}"', text)
    text = _JSON_DATA.sub(_mask_json, text)
    text = _YAML_FLOW.sub(rf"\1{MARK}", text)
    return _YAML_DATA.sub(_mask_yaml, text)


def redact_value(value: Any) -> Any:
    """Return a JSON value with every credential replaced; the value given is not changed."""
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list | tuple):
        return [redact_value(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return _redact_object(cast("dict[str, Any]", value))
    return value


def _redact_object(value: dict[str, Any]) -> dict[str, Any]:
    is_secret = value.get("kind") == "Secret"
    redacted: dict[str, Any] = {}
    for key, item in value.items():
        if is_secret and key in ("data", "stringData") and isinstance(item, dict):
            redacted[key] = dict.fromkeys(cast("dict[str, Any]", item), MARK)
        elif isinstance(item, str) and _is_credential(key):
            redacted[key] = MARK
        elif is_secret and key == "metadata":
            redacted[key] = _without_last_applied(redact_value(item))
        else:
            redacted[key] = redact_value(item)
    return redacted


def _without_last_applied(metadata: Any) -> Any:
    # kubectl keeps a copy of the whole Secret in this annotation.
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    if isinstance(annotations, dict) and _LAST_APPLIED in annotations:
        annotations[_LAST_APPLIED] = MARK
    return cast("Any", metadata)


def _is_credential(key: str) -> bool:
    return re.sub("[-_]", "", key).lower() in _CREDENTIALS


def _mask_json(match: re.Match[str]) -> str:
    return match[1] + _JSON_VALUE.sub(rf'\1"{MARK}"', match[2])


def _mask_yaml(match: re.Match[str]) -> str:
    head = match[0][: match.start(2) - match.start()]
    return head + _YAML_VALUE.sub(rf"\1{MARK}", match[2])
