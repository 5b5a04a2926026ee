"""What becomes a driver's program: run by its path, in an interpreter of its own.

What runs between fork and exec of ours shares gRPC's threads and locks with us and may be aborted.
This does the same after the exec: the program dies with us, and may find a machine that was up for
longer than ours. Only time_namespaces(7) does that to every program, whatever it is made with. The
wall clock belongs to the whole machine and stays.

Arguments: our process id, by how many seconds the monotonic clock and the boot time are ahead, and
the words of the program. It is known to none of our modules and imports none.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

#: ``prctl`` option: the kernel sends this signal to the child when its parent dies.
_PR_SET_PDEATHSIG = 1

#: Flags of unshare(2) and setns(2).
_NEW_TIME, _NEW_USER = 0x80, 0x10000000

_LIBC = ctypes.CDLL(None, use_errno=True)


def main(parent: int, ahead: int, words: list[str]) -> None:
    """Become the program; without words nothing but the other time is tried."""
    if ahead:
        enter_time(ahead)
    # After the other steps, which may change credentials: that takes the signal back.
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    if words:
        os.execvp(words[0], words)  # noqa: S606 - running it is the purpose


def enter_time(ahead: int) -> None:
    """Let the monotonic clock and the boot time be so many seconds ahead; raises ``OSError``."""
    user, group = os.geteuid(), os.getegid()
    if _LIBC.unshare(_NEW_TIME):
        # Others than root may do so in a user name space, where they stay who they are.
        _must(_LIBC.unshare(_NEW_USER | _NEW_TIME))
        _write("setgroups", "deny")
        _write("uid_map", f"{user} {user} 1")
        _write("gid_map", f"{group} {group} 1")
    _write("timens_offsets", f"monotonic {ahead} 0\nboottime {ahead} 0\n")
    # unshare(2) is about children alone, and the program is to be this process.
    space = os.open("/proc/self/ns/time_for_children", os.O_RDONLY)
    _must(_LIBC.setns(space, _NEW_TIME))
    os.close(space)


def _must(failed: int) -> None:
    if failed:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _write(name: str, text: str) -> None:
    file = os.open(f"/proc/self/{name}", os.O_WRONLY)
    try:
        os.write(file, text.encode())
    finally:
        os.close(file)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
