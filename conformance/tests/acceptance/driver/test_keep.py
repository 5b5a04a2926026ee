"""``certify --keep`` leaves control plane and driver up, for as long as somebody looks at them."""

from __future__ import annotations

import os
import signal
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.tests.acceptance.certifying import (
    NAME,
    TRACEBACK,
    arguments,
    command,
    is_alive,
    within,
)

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]


def slices(kubeconfig: Path) -> list[Any]:
    """Return the ResourceSlices, asked for as the kubeconfig says."""
    config = yaml.safe_load(kubeconfig.read_text("utf-8"))
    server, token = config["clusters"][0]["cluster"]["server"], config["users"][0]["user"]["token"]
    request = urllib.request.Request(
        f"{server}/apis/resource.k8s.io/v1/resourceslices",
        headers={"Authorization": f"Bearer {token}"},
    )
    with urllib.request.urlopen(request) as answer:
        return yaml.safe_load(answer.read())["items"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_kept_can_be_looked_at_until_it_is_ended(
    tmp_path: Path, scratch: Path, number: signal.Signals
) -> None:
    out, log, note = tmp_path / "out", tmp_path / "said", tmp_path / "pid"
    out.mkdir()
    kubeconfig = out / "kubeconfig"
    kubeconfig.touch(mode=0o644)
    driver = f"sh -c 'echo $$ > {note}; exec {command()}'"
    words = arguments(out, driver, "--only", "DRA-DRV-01", "--keep")
    with (
        log.open("wb") as said,
        subprocess.Popen(
            words,
            env={**os.environ, "TMPDIR": str(scratch)},
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process,
    ):
        assert within(120, lambda: "Ctrl-C ends it" in log.read_text("utf-8"))
        assert within(20, lambda: len(slices(kubeconfig)) == 1)
        published = slices(kubeconfig)[0]["spec"]["driver"]
        mode = kubeconfig.stat().st_mode & 0o777

        os.kill(process.pid, number)

        process.wait(60)

    told = log.read_text("utf-8")
    assert process.returncode == 0, told
    assert TRACEBACK not in told
    assert f"kubectl --kubeconfig {kubeconfig} get resourceslices" in told
    assert (published, mode) == (NAME, 0o600)
    assert not is_alive(int(note.read_text()))
    assert list(scratch.iterdir()) == []
