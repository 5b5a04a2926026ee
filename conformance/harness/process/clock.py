"""The clocks of a program that runs, moved: the monotonic one ahead, that of the wall anywhere.

A program asks for the time in its vDSO (vdso(7)), code that the kernel maps into every process.
What stands there is written anew, once, in the process alone: it asks the kernel, and adds what a
table behind it says. The program is stopped while the table changes, so that all of its threads
find the other time at once; and a stop ends epoll_wait(2) (signal(7)), so that event loops and Go
look how much of their wait is left.

A wait that was begun in the moment before goes on as it was: time passes in small steps, each of
which wakes the program. What it starts later has the machine's clock until the next of them.

A wait until an instant is ended by the kernel, which knows the machine's clock alone: a program
that asks for one by a clock that is ahead waits for longer than it wants to. The C library does so,
and with it most languages. Go by itself says how long it wants to wait: no other program is moved.
"""

from __future__ import annotations

import contextlib
import io
import os
import platform
import signal
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import attrs
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

#: Clocks on which time passes (clock_gettime(2)): monotonic, raw, coarse, and since the boot.
_MONOTONIC = (1, 4, 6, 7)
#: Those of the time of day: real, coarse, and TAI.
_WALL = (0, 5, 11)

#: What takes the place of the three functions on x86-64; twelve numbers of 64 bits follow, seconds
#: by the number of the clock.
_CLOCK_GETTIME = bytes.fromhex(
    "b8e4000000"  # mov eax, 228: clock_gettime(2)
    "0f05"  # syscall
    "85c0"  # test eax, eax
    "7515"  # jnz end
    "83ff0b"  # cmp edi, 11: clocks beyond the table are those of processes and devices
    "7710"  # ja end
    "89ff"  # mov edi, edi
    "488d153f000000"  # lea rdx, [rip + 63]: the table
    "488b14fa"  # mov rdx, [rdx + rdi * 8]
    "480116"  # add [rsi], rdx
    "c3"  # end: ret
)
_GETTIMEOFDAY = bytes.fromhex(
    "b860000000"  # mov eax, 96: gettimeofday(2)
    "0f05"  # syscall
    "85c0"  # test eax, eax
    "750f"  # jnz end
    "4885ff"  # test rdi, rdi
    "740a"  # jz end
    "488b1520000000"  # mov rdx, [rip + 32]: the first number of the table
    "480117"  # add [rdi], rdx
    "c3"  # end: ret
)
_TIME = bytes.fromhex(
    "4889fe"  # mov rsi, rdi
    "31ff"  # xor edi, edi
    "b8c9000000"  # mov eax, 201: time(2)
    "0f05"  # syscall
    "48030509000000"  # add rax, [rip + 9]: the first number of the table
    "4885f6"  # test rsi, rsi
    "7403"  # jz end
    "488906"  # mov [rsi], rax
    "c3"  # end: ret
)
_CODE = _CLOCK_GETTIME + _GETTIMEOFDAY + _TIME
_TABLE = bytes(12 * 8)

#: The function in whose place all of the code stands, and where it is entered by the others.
_FIRST = "__vdso_clock_gettime"
_ENTRIES = {
    "__vdso_gettimeofday": len(_CLOCK_GETTIME),
    "__vdso_time": len(_CLOCK_GETTIME) + len(_GETTIMEOFDAY),
}

#: How long a program may take to stand still, in seconds, and how often it is asked to do so
#: outside its vDSO, where it is for a moment in a million.
_STANDS = 10.0
_TRIES = 100


class ClockError(Exception):
    """A clock can't be moved; says why."""


def waits_by_itself(pid: int) -> bool:
    """Tell whether a process never waits until an instant: Go without the C library."""
    try:
        with Path(f"/proc/{pid}/exe").open("rb") as program:
            file = ELFFile(program)
            is_go = file.get_section_by_name(".go.buildinfo") is not None
            return is_go and not any(one["p_type"] == "PT_INTERP" for one in file.iter_segments())
    except (OSError, ELFError):
        return False


class SessionClock:
    """The clocks of all processes of a session, which stay together."""

    def __init__(
        self, session: int, *, may_be_moved: Callable[[int], bool] = waits_by_itself
    ) -> None:
        """``session`` is the id of the process that leads it.

        ``may_be_moved`` tells of a process whether a clock that is moved does it no harm.
        """
        #: By how many seconds the monotonic ones are ahead.
        self.ahead = 0
        #: By how many those of the wall are, or behind if it is negative.
        self.wall = 0
        self._session = session
        self._may_be_moved = may_be_moved
        self._processes: dict[int, _Process] = {}

    def move(self, seconds: int) -> None:
        """Let so many seconds pass on all monotonic clocks at once.

        Raises :class:`ClockError` where that is not possible for each of them; none is moved then.
        """
        self._set(self.ahead + seconds, self.wall)

    def set_wall(self, seconds: int) -> None:
        """Let the wall clock be so many seconds ahead of the machine's; raises as ``move``."""
        self._set(self.ahead, seconds)

    def _set(self, ahead: int, wall: int) -> None:
        members = _members(self._session)
        if not members:
            raise ClockError("it has ended")
        for pid in members:
            known = self._processes.get(pid)
            if known is None or not known.stands():
                if not self._may_be_moved(pid):
                    raise ClockError(f"process {pid} is no Go program without the C library")
                self._processes[pid] = _taken(pid)
        with contextlib.ExitStack() as stopped:
            for pid in members:
                stopped.enter_context(_stopped(pid))
            self.ahead, self.wall = ahead, wall
            for pid in members:
                self._processes[pid].set(ahead, wall)


@attrs.frozen
class _Process:
    """One process whose vDSO adds what a table says."""

    memory: Path
    #: Where the code stands, and the functions that jump into it.
    code: int
    entered: Mapping[str, int]

    def stands(self) -> bool:
        """Say whether it is so still: a process that runs another program has another vDSO."""
        try:
            return self._read() == _CODE
        except OSError:
            return False

    def write(self) -> None:
        """Make it so."""
        if self.stands():
            return
        self._write(self.code, _CODE + _TABLE)
        for name, place in self.entered.items():
            # jmp, by as much as is left after these five bytes.
            left = self.code + _ENTRIES[name] - (place + 5)
            self._write(place, b"\xe9" + struct.pack("<i", left))

    def set(self, ahead: int, wall: int) -> None:
        """Let its clocks be so many seconds ahead; nothing where it has ended meanwhile."""
        table = self.code + len(_CODE)
        with contextlib.suppress(OSError):
            for clock in _MONOTONIC:
                self._write(table + 8 * clock, struct.pack("<q", ahead))
            for clock in _WALL:
                self._write(table + 8 * clock, struct.pack("<q", wall))

    def _read(self) -> bytes:
        with self.memory.open("rb", buffering=0) as memory:
            memory.seek(self.code)
            return memory.read(len(_CODE))

    def _write(self, place: int, what: bytes) -> None:
        with self.memory.open("r+b", buffering=0) as memory:
            memory.seek(place)
            memory.write(what)


def _taken(pid: int) -> _Process:
    """Return a process once its clock can be moved; raises :class:`ClockError`."""
    if platform.machine() != "x86_64":
        raise ClockError(f"that is done on x86_64 alone, and this is {platform.machine()}")
    try:
        start, end = _vdso(pid)
        found = _found(Path(f"/proc/{pid}/mem"), start, end)
        if not any(_written(pid, found, range(start, end)) for _ in range(_TRIES)):
            raise ClockError(f"process {pid} does nothing but ask for the time")
    except (OSError, ELFError) as error:
        raise ClockError(f"process {pid} can't be written to: {error}") from error
    return found


def _found(memory: Path, start: int, end: int) -> _Process:
    with memory.open("rb", buffering=0) as image:
        image.seek(start)
        places = _functions(image.read(end - start))
    code = start + places.pop(_FIRST)
    return _Process(memory, code, {name: start + at for name, at in places.items()})


def _written(pid: int, process: _Process, vdso: range) -> bool:
    """Write the code unless a thread is amid what stands there; say whether it was written."""
    with _stopped(pid):
        if _is_within(pid, vdso):
            return False
        process.write()
        return True


def _functions(image: bytes) -> dict[str, int]:
    """Return where the functions stand in a vDSO; raises :class:`ClockError`."""
    file = ELFFile(io.BytesIO(image))
    table = file.get_section_by_name(".dynsym")
    if file["e_machine"] != "EM_X86_64" or not isinstance(table, SymbolTableSection):
        raise ClockError("it has another vDSO than programs for x86_64 have")
    rooms = {_FIRST: len(_CODE) + len(_TABLE), **dict.fromkeys(_ENTRIES, 5)}
    found: dict[str, int] = {}
    for name, room in rooms.items():
        symbols = table.get_symbol_by_name(name)
        if not symbols or symbols[0]["st_size"] < room:
            raise ClockError(f"its vDSO has no {name}, or one with too little room")
        found[name] = symbols[0]["st_value"]
    return found


def _vdso(pid: int) -> tuple[int, int]:
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        if line.endswith("[vdso]"):
            start, _, end = line.partition(" ")[0].partition("-")
            return int(start, 16), int(end, 16)
    raise ClockError("it has no vDSO")


@contextlib.contextmanager
def _stopped(pid: int) -> Iterator[None]:
    """Have a process stand still, and let it go on; raises :class:`ClockError`."""
    if "T" in _states(pid):
        raise ClockError("it stands still")
    deadline = time.monotonic() + _STANDS
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
    try:
        while _states(pid) - {"T", "Z", "X"}:
            if time.monotonic() > deadline:
                raise ClockError(f"it does not stand still within {_STANDS:g} s")
            time.sleep(0)
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _members(session: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    processes = (one for one in Path("/proc").iterdir() if one.name.isdecimal())
    found = (int(one.name) for one in processes if _status(one / "stat")[3:4] == [str(session)])
    return sorted(pid for pid in found if _states(pid) - {"Z", "X"})


def _states(pid: int) -> set[str]:
    """Return in which states the threads of a process are, nothing once it has ended."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
    except FileNotFoundError:
        return set()
    return {state for one in threads for state in _status(one / "stat")[:1]}


def _status(path: Path) -> list[str]:
    """Return the fields of a stat file from the state on (proc_pid_stat(5)); none if it is gone."""
    try:
        return path.read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def _is_within(pid: int, places: range) -> bool:
    """Say whether a thread of a stopped process stands at one of these places."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            place = (thread / "syscall").read_text().split()[-1]
            if place.startswith("0x") and int(place, 16) in places:
                return True
    return False
