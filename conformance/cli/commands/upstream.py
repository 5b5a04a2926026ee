"""``upstream``: build a real Kubernetes from source, and run it on this machine."""

from __future__ import annotations

import contextlib
import functools
import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click

from conformance.cli import documents
from conformance.cli.exits import ExitCode, Refusal
from conformance.evidence.verdict import Outcome
from conformance.report import build as report_build
from conformance.report.model import Report
from conformance.upstream import build, errors, layout, plan, prerequisites, supervisor
from conformance.upstream.certificates import live
from conformance.upstream.cluster import Cluster
from conformance.upstream.lane import agreement, clusters, merging, pages, running

P = ParamSpec("P")
R = TypeVar("R")


def _refusing(command: Callable[P, R]) -> Callable[P, R]:
    """Turn what went wrong upstream into one sentence and the exit code that fits."""

    @functools.wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except errors.UnusableError as error:
            raise Refusal(ExitCode.USAGE, str(error)) from error
        except documents.DocumentError as error:
            raise Refusal(ExitCode.USAGE, str(error)) from error
        except (errors.UpstreamError, OSError) as error:
            # An OSError that nobody foresaw, such as a full disk, says what and where by itself.
            raise Refusal(ExitCode.UNREACHABLE, str(error)) from error

    return wrapper


_state = click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    default=layout.default_state,
    show_default="a folder of your own below the temporary folder",
    help="Folder that holds everything of the cluster.",
)


@click.group()
def upstream_command() -> None:
    """Run a real Kubernetes 1.37 on this machine, as a target.

    \b
    Example:
      dra-conformance upstream up --kubelet-nodes 1 --kubeconfig-out kube.config
      dra-conformance run --target kube --kubeconfig kube.config --out report
      dra-conformance upstream down
    """


@upstream_command.command("build")
@_refusing
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    type=click.Choice([module.name for module in build.MODULES]),
    help="Leave a module of fixtures/upstream out; may be repeated.",
)
def build_command(without: tuple[str, ...]) -> None:
    """Build what is missing: Kubernetes, containerd, drivers, and the programs of the tests.

    \b
    Example:
      dra-conformance upstream build --without e2e
    """
    for module in build.MODULES:
        if module.name in without:
            continue
        folder = build.build(module, functools.partial(click.echo, err=True))
        for name in module.binaries:
            click.echo(folder / name)


@upstream_command.command("up")
@_state
@click.option("--feature-gates", default="", metavar="A=true,B=false", help="For all components.")
@click.option("--alpha", is_flag=True, help="Turn on every DRA gate, and serve every API version.")
@click.option("--nodes", default=2, show_default=True, help="Nodes without a kubelet.")
@click.option("--kubelet-nodes", default=0, show_default=True, help="Nodes with one (as root).")
@click.option(
    "--binding-timeout",
    metavar="DURATION",
    help="The scheduler's bindingTimeout, such as 30s; its own default without.",
)
@click.option(
    "--filter-timeout",
    metavar="DURATION",
    help="The scheduler's filterTimeout, such as 2s; its own default without.",
)
@click.option(
    "--kubeconfig-out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write a copy of the kubeconfig.",
)
@click.option("--foreground", is_flag=True, help="Stay until interrupted, then take it down.")
@_refusing
def up_command(kubeconfig_out: Path | None, **options: Any) -> None:
    """Start a cluster, and return when it is ready.

    \b
    Example:
      dra-conformance upstream up --kubelet-nodes 1 --feature-gates DRAResourcePoolStatus=true
    """
    cluster = Cluster(options["state"], _plan(options))
    _prepare(kubelet=cluster.plan.kubelet_nodes > 0)
    if options["foreground"]:
        supervisor.hold(cluster, lambda ready: _announce(ready.facts(), kubeconfig_out))
    else:
        facts = supervisor.detach(cluster.place, _arguments(options))
        _announce(facts, kubeconfig_out)


@upstream_command.command("down")
@_state
@_refusing
def down_command(state: Path) -> None:
    """Take a cluster down, and clean what a crashed one left; logs stay.

    \b
    Example:
      dra-conformance upstream down
    """
    place = layout.layout(state)
    was_running = supervisor.end(place)
    words = "is down" if was_running else "was not running; what it left is removed"
    click.echo(f"the cluster in {place.state} {words}", err=True)


@upstream_command.command("status")
@_state
@click.option(
    "--format", "shape", type=click.Choice(["text", "json", "kubeconfig"]), default="text"
)
@_refusing
def status_command(state: Path, shape: str) -> None:
    """Say what runs: nodes, kubeconfig, folders for drivers, logs.

    \b
    Example:
      dra-conformance upstream status --format json
    """
    place = layout.layout(state)
    facts = supervisor.status(place)
    if facts is None:
        ending = supervisor.ending(place)
        why = f": {ending}" if ending else ""
        raise Refusal(ExitCode.UNREACHABLE, f"no cluster runs in {place.state}{why}")
    if shape == "json":
        click.echo(json.dumps(facts, indent=2))
    elif shape == "kubeconfig":
        click.echo(facts["kubeconfig"])
    else:
        _announce(facts, None)


@upstream_command.command("restart-kubelet")
@_state
@click.argument("node")
@_refusing
def restart_kubelet_command(state: Path, node: str) -> None:
    """Restart the kubelet of a node; its containers run on meanwhile.

    \b
    Example:
      dra-conformance upstream restart-kubelet kubelet-1
    """
    supervisor.restart_kubelet(layout.layout(state), node)
    click.echo(f"the kubelet of {node} was restarted", err=True)


@upstream_command.command("judge")
@click.option("--lane", "names", multiple=True, metavar="NAME", help="Clusters of the lane.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder for one journal per run, the merged one, and its report.",
)
@_refusing
def judge_command(names: tuple[str, ...], out: Path) -> ExitCode:
    """Run the suite on real clusters that differ in gates and timeouts, and merge what it says.

    Without --lane the clusters are those that CI takes; "ten-minutes" and "hours" wait for
    what takes so long by default. Exit code 1 when a requirement failed, 4 when a check
    errored or a run did not come to its own end: then the logs of its cluster lie in DIR too.

    \b
    Example:
      dra-conformance upstream judge --out out/upstream
      dra-conformance upstream judge --lane ten-minutes --out out/long
    """
    _prepare(kubelet=True)
    out = out.resolve()
    witnesses = clusters.named(names)
    with _stoppable():
        judged = running.judge(witnesses, out, functools.partial(click.echo, err=True))
    if not judged.journals:
        raise Refusal(ExitCode.UNREACHABLE, "; ".join(judged.troubles))
    try:
        code = _code(_merge(list(judged.journals.values()), out))
    except (documents.DocumentError, errors.UnusableError) as error:
        # What was judged stands in the journals, and is no question that was wrong.
        raise Refusal(ExitCode.INCOMPLETE, "; ".join([*judged.troubles, str(error)])) from error
    if judged.troubles:
        raise Refusal(ExitCode.INCOMPLETE, "; ".join(judged.troubles))
    return code


@upstream_command.command("merge")
@click.argument("journals", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True)
@_refusing
def merge_command(journals: tuple[Path, ...], out: Path) -> ExitCode:
    """Make one journal and one report of several runs, each named after its file.

    \b
    Example:
      dra-conformance upstream merge out/alpha-all.jsonl out/defaults-all.jsonl --out reports
    """
    return _code(_merge(list(journals), out))


@upstream_command.command("agreement")
@click.argument("bundled", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("upstream", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for agreement.json, agreement.md and agreement.html.",
)
@click.option(
    "--not-below",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="An agreement.json; exit code 1 when agreement has fallen below it.",
)
@_refusing
def agreement_command(
    bundled: Path, upstream: Path, out: Path | None, not_below: Path | None
) -> None:
    """Say on how many requirements the bundled reference agrees with a real cluster.

    Both arguments are journals: of a run on the bundled target, and of "upstream judge".

    \b
    Example:
      dra-conformance upstream agreement out/journal.jsonl reports/1.37/upstream/journal.jsonl
    """
    found = agreement.compare(running.read(bundled), running.read(upstream))
    click.echo(found.sentence)
    if out is not None:
        _write(out, "agreement.json", pages.to_json(found))
        _write(out, "agreement.md", pages.to_markdown(found))
        _write(out, "agreement.html", pages.to_html(found))
    if not_below is None:
        return
    before = _agreement(not_below)
    if found.falls_below(before):
        raise Refusal(
            ExitCode.NOT_CONFORMANT,
            f"agreement fell: it was {before.agreeing} of {before.comparable}"
            f" ({not_below}), it is {found.agreeing} of {found.comparable}",
        )


def _prepare(*, kubelet: bool) -> None:
    """Build what a cluster needs and lacks; refuse where this machine cannot run one."""
    prerequisites.must_have(kubelet=kubelet)
    for module in build.missing(build.needed(kubelet=kubelet)):
        build.build(module, functools.partial(click.echo, err=True))


def _merge(paths: list[Path], out: Path) -> Report:
    """Write the merged journal and its report."""
    merged = merging.merge({path.stem: running.read(path) for path in paths})
    _write(out, "journal.jsonl", running.text(merged))
    report = report_build.build(merged)
    documents.write(report, out, ("json", "html", "markdown"))
    click.echo(f"{report.verdict}: {report.summary}")
    return report


def _code(report: Report) -> ExitCode:
    """Return the code that a report asks for; a wait that is too long for CI asks for none."""
    if report.counts[Outcome.FAILED]:
        return ExitCode.NOT_CONFORMANT
    return ExitCode.INCOMPLETE if report.counts[Outcome.ERRORED] else ExitCode.CONFORMANT


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """Let the first SIGINT or SIGTERM end the runs, and none after it the taking down."""

    def stop(_number: int, _frame: Any) -> None:
        for one in before:
            signal.signal(one, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    for one in before:
        signal.signal(one, stop)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _agreement(path: Path) -> agreement.Agreement:
    try:
        return pages.from_json(path.read_text())
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise errors.UnusableError(f"{path} is no agreement: {error}") from error


def _plan(options: dict[str, Any]) -> plan.Plan:
    timeouts = {
        "bindingTimeout": options["binding_timeout"],
        "filterTimeout": options["filter_timeout"],
    }
    return plan.Plan(
        gates=plan.parse_gates(options["feature_gates"]),
        alpha=options["alpha"],
        scheduler_config={name: value for name, value in timeouts.items() if value},
        bare_nodes=options["nodes"],
        kubelet_nodes=options["kubelet_nodes"],
    )


def _arguments(options: dict[str, Any]) -> list[str]:
    """Return the arguments of the process that holds the cluster in the background."""
    arguments = ["upstream", "up", "--foreground", "--state", str(options["state"].resolve())]
    arguments += ["--nodes", str(options["nodes"])]
    arguments += ["--kubelet-nodes", str(options["kubelet_nodes"])]
    arguments += ["--feature-gates", options["feature_gates"]]
    for name in ("binding_timeout", "filter_timeout"):
        if options[name]:
            arguments += [f"--{name.replace('_', '-')}", options[name]]
    if options["alpha"]:
        arguments.append("--alpha")
    return arguments


def _announce(facts: dict[str, Any], kubeconfig_out: Path | None) -> None:
    if kubeconfig_out is not None:
        _copy(Path(facts["kubeconfig"]), kubeconfig_out)
    nodes = [*facts["bareNodes"], *(node["name"] for node in facts["kubeletNodes"])]
    click.echo(f"Kubernetes {facts['kubernetesVersion']} is ready at {facts['server']}", err=True)
    click.echo(f"nodes: {', '.join(nodes) or 'none'}", err=True)
    for node in facts["kubeletNodes"]:
        for name, folder in node.items():
            if name != "name":
                click.echo(f"{node['name']} {name}: {folder}", err=True)
    kubeconfig = kubeconfig_out or Path(facts["kubeconfig"])
    for words in live.told(facts, kubeconfig):
        click.echo(f"certify a driver there: {words}", err=True)
    click.echo(f"logs: {facts['logs']}", err=True)
    click.echo(kubeconfig)


def _copy(source: Path, target: Path) -> None:
    try:
        target.touch(mode=0o600)
        target.write_text(source.read_text())
    except OSError as error:
        raise errors.UnusableError(
            f"the kubeconfig cannot be written to {target}: {error}"
        ) from error


def _write(out: Path, name: str, text: str) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / name).write_text(text)
    except OSError as error:
        raise errors.UnusableError(f"{out / name} cannot be written: {error.strerror}") from error
