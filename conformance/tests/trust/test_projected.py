"""A token in a file: replaced in one step, in the layout of a projected volume."""

from __future__ import annotations

import stat
from pathlib import Path

from conformance.trust.projected import TokenFile


def test_a_token_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    file = TokenFile(tmp_path / "volume")
    file.write("first")
    link = file.path.readlink()
    first = file.path.resolve()

    file.write("second")

    assert file.read() == "second"
    assert file.path.readlink() == link == Path("..data/token")
    assert not first.exists()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_nothing_is_left_of_many_tokens(tmp_path: Path) -> None:
    for number in range(5):
        TokenFile(tmp_path / "volume").write(f"token {number}")

    names = sorted(one.name for one in (tmp_path / "volume").iterdir())
    assert TokenFile(tmp_path / "volume").read() == "token 4"
    assert len(names) == 3
    assert names[1:] == ["..data", "token"]
