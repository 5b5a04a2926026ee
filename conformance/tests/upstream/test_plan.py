"""Plans: gates, nodes, and what is refused."""

from __future__ import annotations

import pytest

from conformance.upstream import errors, plan


def test_defaults_set_no_gate() -> None:
    assert plan.Plan().gate_flags() == []


def test_alpha_turns_every_gate_on_but_the_named_ones() -> None:
    wanted = plan.Plan(alpha=True, gates={"DRAResourcePoolStatus": False, "Other": True})

    gates = wanted.feature_gates()

    assert gates["DRAListTypeAttributes"] is True
    assert gates["DRAResourcePoolStatus"] is False
    assert gates["Other"] is True
    assert list(gates) == sorted(gates)


def test_alpha_versions_are_served_with_the_gate_that_needs_them() -> None:
    assert plan.Plan(gates={"DRAResourcePoolStatus": True}).serves_all_versions()
    assert plan.Plan(alpha=True).serves_all_versions()
    assert not plan.Plan(gates={"DRAResourcePoolStatus": False}).serves_all_versions()


def test_gates_are_spelled_as_kubernetes_reads_them() -> None:
    wanted = plan.Plan(gates={"B": False, "A": True})

    assert wanted.gate_flags() == ["--feature-gates=A=true,B=false"]


def test_nodes_are_named_by_kind() -> None:
    wanted = plan.Plan(bare_nodes=2, kubelet_nodes=1)

    assert wanted.bare_names() == ("bare-1", "bare-2")
    assert wanted.kubelet_names() == ("kubelet-1",)


@pytest.mark.parametrize("count", [-1, 251])
def test_impossible_number_of_nodes(count: int) -> None:
    with pytest.raises(errors.UnusableError, match="between 0 and 250"):
        plan.Plan(bare_nodes=count)


def test_arguments_for_an_unknown_component() -> None:
    with pytest.raises(errors.UnusableError, match="unknown component 'kube-proxy'"):
        plan.Plan(extra_args={"kube-proxy": ["-v=4"]})


def test_parse_gates() -> None:
    assert plan.parse_gates(" A=true, B=false,") == {"A": True, "B": False}


@pytest.mark.parametrize("text", ["A", "A=yes", "=true", "A B=true"])
def test_malformed_gate(text: str) -> None:
    with pytest.raises(errors.UnusableError, match="not of the form"):
        plan.parse_gates(text)
