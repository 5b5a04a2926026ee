"""State folders: what fits, what is refused, who may read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.upstream import errors, layout


def test_make_creates_a_private_folder(state: Path) -> None:
    place = layout.layout(state / "s")

    place.make()

    assert place.state.stat().st_mode & 0o777 == 0o700
    assert place.logs.is_dir()


def test_sockets_of_a_driver_fit(state: Path) -> None:
    longest = layout.Layout(Path("/" + "s" * (layout.LONGEST - 1)))
    socket = longest.node("kubelet-1").plugins / ("d" * 42) / "dra.sock"
    shorter = layout.Layout(Path("/" + "s" * 18)).node("kubelet-1").registrar
    updated = shorter / f"{'d' * 18}-6d1cbf8e-0c5b-4d0e-9d0f-000000000001-reg.sock"

    assert len(str(socket)) <= 107
    assert len(str(updated)) <= 107


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        ("/tmp/" + "x" * layout.LONGEST, "too long for the Unix sockets"),
        ("/var/lib/x", "may not lie below /var/lib"),
        ("/run/x", "may not lie below /run"),
    ],
)
def test_unsuitable_folder(folder: str, reason: str) -> None:
    with pytest.raises(errors.UnusableError, match=reason):
        layout.layout(Path(folder)).make()


def test_folder_that_others_can_write(state: Path) -> None:
    (state / "s").mkdir(mode=0o700)
    (state / "s").chmod(0o777)

    with pytest.raises(errors.UnusableError, match="written by somebody else"):
        layout.layout(state / "s").make()


def test_file_in_the_way(state: Path) -> None:
    (state / "s").write_text("a file")

    with pytest.raises(errors.UnusableError, match="File exists"):
        layout.layout(state / "s").make()


def test_slugs_differ_by_folder() -> None:
    assert layout.Layout(Path("/a")).slug != layout.Layout(Path("/b")).slug
