"""A small file system for the CDI specs of a child: full, or read-only, for a while.

Where we may mount one, it lies below the folder from before the child's start: whoever has a
view of the mounts of its own has this one in it, and what is done to the file system itself is
seen there too. A process of ours takes it away again when we close it or are no more, however
we ended. Elsewhere the folder is made read-only by its permissions, which no more than a user
without privileges obeys; a full one can't be had.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from conformance.harness.errors import HarnessError, Undecided, Unsupported

#: Flags of mount(2) and umount2(2).
_READ_ONLY, _NOSUID, _NODEV, _REMOUNT = 0x1, 0x2, 0x4, 0x20
_DETACH = 0x2

#: Options of tmpfs(5) while nothing is short; memory is used for what is stored alone.
_ROOMY = "size=64m,mode=755"

#: Something has to be used: a size of zero has no limit.
_KEPT = ".kept"

_PAGE = os.sysconf("SC_PAGE_SIZE")

#: How often a size is tried while the driver adds files.
_TRIES = 5

_WHY = (
    "the check needs a file system of its own for CDI specs, which this user may not mount "
    "(root may, and anybody below unshare --map-root-user --mount)"
)

#: Why nothing is done to the folder of a node.
SHARED = "the check makes the folder of CDI specs take no file, and others use it"

#: Waits for our end, or for ``close``.
_GUARD = f"""
import ctypes, sys
sys.stdin.read()
ctypes.CDLL(None).umount2(sys.argv[1].encode(), {_DETACH})
"""

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.mount.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_ulong, ctypes.c_char_p]


class SpecDisk:
    """What lies below a folder, whose parent holds nothing else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._root = folder.parent
        self._guard: subprocess.Popen[bytes] | None = None

    def mount(self) -> None:
        """Mount a file system with an empty folder, where that is allowed."""
        self._guard = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-ISc", _GUARD, str(self._root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for us: it has to outlive us.
            start_new_session=True,
        )
        if _mount(self._root, 0, _ROOMY):
            self.close()
            return
        self._folder.mkdir()
        (self._root / _KEPT).write_bytes(bytes(_PAGE))

    def close(self) -> None:
        """Take it away; nothing happens where it is not mounted."""
        if self._guard is not None:
            self._guard.communicate()
            self._guard = None

    @contextlib.contextmanager
    def short(self, trouble: int) -> Iterator[None]:
        """Let the folder take no file for a while, by ``errno.ENOSPC`` or ``errno.EROFS``.

        Raises ``Unsupported`` where that can't be had, and ``Undecided`` where it is in use.
        """
        self._must_be_possible(trouble)
        try:
            self._begin(trouble)
            if _refused(self._folder) == 0:
                raise Unsupported(_WHY)
            yield
        finally:
            self._end()

    def _must_be_possible(self, trouble: int) -> None:
        if self._guard is None and trouble != errno.EROFS:
            raise Unsupported(_WHY)

    def _begin(self, trouble: int) -> None:
        if self._guard is None:
            self._folder.chmod(0o555)
        elif trouble == errno.EROFS:
            if refused := _mount(self._root, _REMOUNT | _READ_ONLY, _ROOMY):
                why = os.strerror(refused)
                raise Undecided(f"not judged, since a file in the CDI folder is open: {why}")
        else:
            self._fill()

    def _fill(self) -> None:
        """Leave no more room than is used."""
        refused = 0
        for _ in range(_TRIES):
            state = os.statvfs(self._root)
            used = (state.f_blocks - state.f_bfree) * state.f_frsize
            refused = _mount(self._root, _REMOUNT, f"size={used}")
            if not refused:
                return
        raise Undecided(f"not judged, since the CDI folder can't be full: {os.strerror(refused)}")

    def _end(self) -> None:
        if self._guard is None:
            self._folder.chmod(0o755)
        elif refused := _mount(self._root, _REMOUNT, _ROOMY):
            raise HarnessError(f"{self._root} can't be written again: {os.strerror(refused)}")


class OthersDisk(SpecDisk):
    """The folder of a node, whose specs are not ours alone: nothing is done to it."""

    def mount(self) -> None:
        """Leave it as it is."""

    @contextlib.contextmanager
    def short(self, trouble: int) -> Iterator[None]:
        """Raise ``Unsupported``: others would go short as well."""
        del trouble
        raise Unsupported(SHARED)
        yield


def _mount(root: Path, flags: int, options: str) -> int:
    """Mount a file system, or mount it again in another way; return why not, 0 where it is."""
    flags |= _NOSUID | _NODEV
    failed = _LIBC.mount(b"tmpfs", os.fsencode(root), b"tmpfs", flags, options.encode())
    return ctypes.get_errno() if failed else 0


def _refused(folder: Path) -> int:
    """Return why the folder takes no file, 0 where it does."""
    path = folder / f".{os.getpid()}.dra-conformance"
    try:
        path.write_bytes(bytes(_PAGE))
    except OSError as error:
        return error.errno or errno.EIO
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
    return 0
