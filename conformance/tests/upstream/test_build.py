"""Builds: what the key covers, when Go is asked, and what a failure says."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.upstream import build, errors

MODULE = build.Module(name="sample", binaries={"one": "./one", "two": "./two"}, stamps=("a=b",))
#: A Go toolchain that writes the file after ``-o``.
GO = '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho "built $3" > "$2"\n'
BROKEN_GO = "#!/bin/sh\necho 'one.go:3: undefined: x' >&2\nexit 1\n"


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "fixtures" / "upstream" / "sample"
    folder.mkdir(parents=True)
    (folder / "go.mod").write_text("module sample\n")
    (folder / "go.sum").write_text("pins\n")
    (folder / "main.go").write_text("package main\n")
    monkeypatch.setattr(
        build.data, "fixtures", lambda *parts: tmp_path.joinpath("fixtures", *parts)
    )
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", "/nowhere")
    return folder


def provide_go(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    (folder / "go").write_text(script)
    (folder / "go").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.parametrize("name", ["go.mod", "go.sum", "main.go"])
def test_key_changes_with_every_source(sources: Path, name: str) -> None:
    before = build.key(MODULE, sources)

    (sources / name).write_text("other\n")

    assert build.key(MODULE, sources) != before


def test_key_changes_with_the_stamps(sources: Path) -> None:
    other = build.Module(name="sample", binaries={}, stamps=("a=c",))

    assert build.key(MODULE, sources) != build.key(other, sources)


def test_key_ignores_other_files(sources: Path) -> None:
    before = build.key(MODULE, sources)

    (sources / "README.md").write_text("words\n")

    assert build.key(MODULE, sources) == before


def test_build_yields_every_binary(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide_go(tmp_path / "bin", GO, monkeypatch)

    folder = build.build(MODULE)

    assert (folder / "one").read_text() == "built ./one\n"
    assert (folder / "two").read_text() == "built ./two\n"
    assert folder.name == f"sample-{build.key(MODULE, sources)}"


def test_a_second_build_needs_no_go(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide_go(tmp_path / "bin", GO, monkeypatch)
    folder = build.build(MODULE)
    monkeypatch.setenv("PATH", "/nowhere")

    assert build.build(MODULE) == folder


def test_missing_go_is_one_sentence(sources: Path) -> None:
    with pytest.raises(errors.UnavailableError, match="Go toolchain is missing, and sample"):
        build.build(MODULE)


def test_failed_build_names_its_last_line_and_log(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide_go(tmp_path / "bin", BROKEN_GO, monkeypatch)

    with pytest.raises(errors.BuildError, match="undefined: x") as caught:
        build.build(MODULE)

    assert caught.value.log.read_text() == "one.go:3: undefined: x\n"
    assert not build.home(MODULE).exists()


def test_unwritable_cache_is_one_sentence(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide_go(tmp_path / "bin", GO, monkeypatch)
    (tmp_path / "cache").write_text("a file")

    with pytest.raises(errors.UnusableError, match="cannot be written"):
        build.build(MODULE)


def test_unknown_binary() -> None:
    with pytest.raises(KeyError):
        build.binary("kube-proxy")


def test_every_module_has_its_pins() -> None:
    for module in build.MODULES:
        folder = build.data.fixtures("upstream", module.name)
        assert (folder / "go.mod").is_file()
        assert (folder / "go.sum").is_file()
