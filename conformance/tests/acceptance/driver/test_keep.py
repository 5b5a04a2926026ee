"""``certify --keep`` leaves control plane and driver up, for as long as somebody looks at them."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import attrs
import pytest

from conformance.harness.access import people
from conformance.harness.client import from_kubeconfig
from conformance.harness.subject.inventory import SLICES
from conformance.tests.acceptance.certifying import (
    NAME,
    TRACEBACK,
    arguments,
    command,
    is_alive,
    within,
)

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]


#: An account that may do what the small driver does, and nothing else.
ACCOUNT = """
apiVersion: v1
kind: ServiceAccount
metadata: {name: small, namespace: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: small}
rules:
- {apiGroups: [resource.k8s.io], resources: [resourceslices], verbs: ["*"]}
- {apiGroups: [resource.k8s.io], resources: [resourceclaims], verbs: [get]}
- {apiGroups: [""], resources: [nodes], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: small}
subjects: [{kind: ServiceAccount, name: small, namespace: default}]
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: small}
"""

DELETING = {"group": "resource.k8s.io", "resource": "deviceclasses", "verb": "delete"}


@attrs.frozen
class Known:
    """What a kubeconfig gives whoever reads it."""

    mode: int
    groups: frozenset[str]
    user: str
    may_delete: bool
    slices: list[Any]

    @classmethod
    def by(cls, kubeconfig: Path) -> Known:
        api = from_kubeconfig(kubeconfig)
        try:
            who = people.whoami(api)
            return cls(
                kubeconfig.stat().st_mode & 0o777,
                frozenset(who["groups"]),
                who["username"],
                people.may(api, DELETING),
                [one["spec"]["driver"] for one in api.list(SLICES)],
            )
        finally:
            api.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_kept_can_be_looked_at_until_it_is_ended(
    tmp_path: Path, scratch: Path, number: signal.Signals
) -> None:
    out, log, note = tmp_path / "out", tmp_path / "said", tmp_path / "pid"
    out.mkdir()
    admin, own = out / "admin.kubeconfig", out / "driver.kubeconfig"
    admin.touch(mode=0o644)
    account = tmp_path / "account.yaml"
    account.write_text(ACCOUNT)
    driver = f"sh -c 'echo $$ > {note}; exec {command()}'"
    more = ("--manifests", str(account), "--only", "DRA-DRV-01", "--keep")
    words = arguments(out, driver, *more)
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
        assert within(20, lambda: Known.by(own).slices == [NAME])
        ours, its = Known.by(admin), Known.by(own)

        os.kill(process.pid, number)

        process.wait(60)

    told = log.read_text("utf-8")
    assert process.returncode == 0, told
    assert TRACEBACK not in told
    assert f"kubectl --kubeconfig {admin} get resourceslices" in told
    assert f"kubectl --kubeconfig {own} auth can-i --list" in told
    assert (ours.mode, "system:masters" in ours.groups, ours.may_delete) == (0o600, True, True)
    assert (its.mode, its.user) == (0o600, "system:serviceaccount:default:small")
    assert not its.may_delete
    assert not admin.exists()
    assert not own.exists()
    assert not is_alive(int(note.read_text()))
    assert list(scratch.iterdir()) == []
