"""The token of an account in a file, as a kubelet projects it into a Pod: replaced, never changed.

Source: https://kubernetes.io/docs/concepts/storage/projected-volumes/#serviceaccounttoken
"""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

#: What the kubelet calls the link to the current content of a volume, and the name of the file.
_DATA, _TOKEN = "..data", "token"


class TokenFile:
    """A folder with one token, in the layout of a projected volume.

    ``token`` is a link into ``..data``, which is a link to the folder with the content: a new
    token comes with another such folder, in one step, so that nobody ever reads half of it.
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; it is made when a token is written."""
        self._folder = folder
        self._numbers = itertools.count()
        self.path = folder / _TOKEN

    def write(self, token: str) -> None:
        """Put a token in the place of the one before."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        data = self._folder / _DATA
        before = self._folder / data.readlink() if data.is_symlink() else None
        content = self._fresh()
        (content / _TOKEN).touch(mode=0o600)
        (content / _TOKEN).write_text(token, "utf-8")
        draft = self._folder / f"{_DATA}_tmp"
        draft.symlink_to(content.name)
        draft.replace(data)
        if not self.path.is_symlink():
            self.path.symlink_to(Path(_DATA, _TOKEN))
        if before is not None:
            shutil.rmtree(before)

    def read(self) -> str:
        """Return the token; raises ``OSError`` before the first one was written."""
        return token_in(self.path)

    def _fresh(self) -> Path:
        for number in self._numbers:
            content = self._folder / f"..{number}"
            if not content.exists():
                content.mkdir(mode=0o700)
                return content
        raise AssertionError("numbers do not end")


def token_in(path: Path) -> str:
    """Return the token that a request is sent with: what is in the file at that moment."""
    return path.read_text("utf-8")
