"""KubeSchedulerConfiguration: the binding timeout, and sentences for what is wrong."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from conformance.dra.features import Features
from conformance.reference.scheduler.configuration import (
    ConfigurationError,
    SchedulerOptions,
    parse_configuration,
)

EXAMPLE = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  pluginConfig:
  - name: DynamicResources
    args:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: DynamicResourcesArgs
      bindingTimeout: 60s
"""


def example(**args: Any) -> dict[str, Any]:
    document = yaml.safe_load(EXAMPLE)
    document["profiles"][0]["pluginConfig"][0]["args"].update(args)
    return document


def test_the_documents_example_sets_sixty_seconds() -> None:
    assert parse_configuration(example()).binding_timeout == 60


def test_a_timeout_without_the_feature_is_refused() -> None:
    features = Features(gates={"DRADeviceBindingConditions": False})

    with pytest.raises(ConfigurationError, match="bindingTimeout: forbidden"):
        parse_configuration(example(), features)


def test_without_configuration_ten_minutes_apply() -> None:
    assert parse_configuration(None) == SchedulerOptions(binding_timeout=600)


@pytest.mark.parametrize(
    ("written", "seconds"), [("90s", 90), ("1m30s", 90), ("1h", 3600), ("1500ms", 1.5)]
)
def test_durations_are_read_as_go_writes_them(written: str, seconds: float) -> None:
    assert parse_configuration(example(bindingTimeout=written)).binding_timeout == seconds


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        pytest.param({"kind": "Pod"}, "expected kind KubeSchedulerConfiguration", id="kind"),
        pytest.param(
            example(bindingTimeout=60), "bindingTimeout: expected a duration", id="number"
        ),
        pytest.param(example(bindingTimeout="soon"), "bindingTimeout: expected a dur", id="word"),
        pytest.param(example(bindingTimeout="0s"), "must be at least 1s", id="zero"),
        pytest.param(example(bindingTimeOut="60s"), "bindingTimeOut: no such field", id="unknown"),
        pytest.param(example(kind="Other"), "args.kind: expected DynamicResourcesArgs", id="args"),
    ],
)
def test_a_wrong_configuration_is_one_sentence(document: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as caught:
        parse_configuration(document)

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "seconds"),
    [
        pytest.param({}, 10, id="the default"),
        pytest.param({"filterTimeout": "2s"}, 2, id="configured"),
        pytest.param({"filterTimeout": "0s"}, None, id="none"),
    ],
)
def test_a_search_may_take_so_long(arguments: dict[str, str], seconds: float | None) -> None:
    assert parse_configuration(example(**arguments)).filter_timeout == seconds


def test_without_the_feature_a_search_takes_as_long_as_it_takes() -> None:
    features = Features(gates={"DRASchedulerFilterTimeout": False})

    assert parse_configuration(example(), features).filter_timeout is None
    with pytest.raises(ConfigurationError, match="filterTimeout: forbidden"):
        parse_configuration(example(filterTimeout="2s"), features)
