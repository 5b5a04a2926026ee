"""Write the documents of a run beside its journal, or wherever somebody wants them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from conformance.report import formats
from conformance.report.model import Report


class DocumentError(Exception):
    """A document cannot be written; one sentence for the person."""


def write(report: Report, folder: Path, names: Iterable[str] = formats.FORMATS) -> list[Path]:
    """Write the report in each format into ``folder``, and return the paths.

    Each document is whole or absent: it is written under another name and then renamed.
    Raises DocumentError.
    """
    texts = {formats.FORMATS[name].filename: formats.render(report, name) for name in names}
    return write_texts(texts, folder)


def write_texts(texts: Mapping[str, str], folder: Path) -> list[Path]:
    """Write each text into the file of its name in ``folder``, and return the paths.

    Raises DocumentError.
    """
    written: list[Path] = []
    for name, text in texts.items():
        path = folder / name
        _replace(path, text.encode("utf-8", "replace"))
        written.append(path)
    return written


def _replace(path: Path, data: bytes) -> None:
    draft = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise DocumentError(f"cannot write {path}: {error.strerror or error}") from error
