"""The commands of docs/certify.md do what the page says, in its order."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.tests.acceptance.certifying import TRACEBACK, command

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(400)]

PAGE = Path(__file__).parents[3] / "docs" / "certify.md"

#: A command of the page, between its two marks.
_BLOCK = re.compile(r"<!-- run:(\w+) -->\n```bash\n(.*?)```\n<!-- /run -->", re.DOTALL)


def test_every_command_of_the_page_works(tmp_path: Path) -> None:
    blocks = _BLOCK.findall(PAGE.read_text("utf-8"))
    tool = tmp_path / "bin" / "dra-conformance"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec {sys.executable} -m conformance "$@"\n', "utf-8")
    tool.chmod(0o755)
    environment = {
        **os.environ,
        "DRIVER": command(),
        "PATH": f"{tool.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(PAGE.parents[1]),
    }

    ended = {name: run(words, tmp_path, environment) for name, words in blocks}

    assert ended == dict.fromkeys(("core", "cdi", "instances", "only", "gate"), 0)
    assert (tmp_path / "certificate" / "report.html").exists()


def run(words: str, folder: Path, environment: dict[str, str]) -> int:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert TRACEBACK not in done.stderr
    return done.returncode
