"""Wire the commands together and end every run with the right code."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Sequence

import click

from conformance import __version__
from conformance.cli import console
from conformance.cli.exits import ExitCode, Refusal, nearest

#: Every verb, the module that holds it and its name there. A command is imported when it
#: is called, so that ``serve`` is ready before ``run`` would have finished importing.
COMMANDS = {
    "run": ("conformance.cli.commands.run", "run_command"),
    "certify": ("conformance.cli.commands.certify", "certify_command"),
    "init": ("conformance.cli.commands.init", "init_command"),
    "lint": ("conformance.cli.commands.lint", "lint_command"),
    "doctor": ("conformance.cli.commands.doctor", "doctor_command"),
    "serve": ("conformance.cli.commands.serve", "serve_command"),
    "list": ("conformance.cli.commands.list", "list_command"),
    "explain": ("conformance.cli.commands.explain", "explain_command"),
    "report": ("conformance.cli.commands.report", "report_command"),
    "clean": ("conformance.cli.commands.clean", "clean_command"),
    "upstream": ("conformance.cli.commands.upstream", "upstream_command"),
}


class Verbs(click.Group):
    """The commands of the table, imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the verbs in the order of the table."""
        return list(COMMANDS)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002
        cmd_name: str,
    ) -> click.Command | None:
        """Return the command called so, or nothing."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name]
        return getattr(importlib.import_module(module), attribute)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one is nearest."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            sentence = f"no command is called {args[0]!r}{nearest(args[0], COMMANDS)}"
            raise click.UsageError(sentence, ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dra-conformance")
def program() -> None:
    """Prove that Kubernetes Dynamic Resource Allocation works as documented.

    \b
    Example:
      dra-conformance run --target bundled --out report
    """


def main(arguments: Sequence[str] | None = None) -> int:  # noqa: PLR0911 - one per way to end
    """Run the program and return its exit code (see ``exits``)."""
    console.ready()
    try:
        result = program.main(
            args=None if arguments is None else list(arguments),
            prog_name="dra-conformance",
            standalone_mode=False,
        )
    except Refusal as refusal:
        return _say(refusal.sentence, refusal.code)
    except click.exceptions.NoArgsIsHelpError as error:
        # What it says is the help, and no complaint of ours.
        click.echo(error.format_message(), err=True)
        return ExitCode.USAGE
    except click.UsageError as error:
        context = error.ctx
        hint = f" (see: {context.command_path} --help)" if context else ""
        return _say(f"{error.format_message()}{hint}", ExitCode.USAGE)
    except click.ClickException as error:
        return _say(error.format_message(), ExitCode.USAGE)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", ExitCode.INCOMPLETE)
    except BrokenPipeError:
        # The reader of our output went away (``| head``): nothing is left to be said.
        console.silence(sys.stdout)
        console.silence(sys.stderr)
        return ExitCode.CONFORMANT
    except OSError as error:
        console.silence(sys.stdout)
        return _say(f"{error.strerror or error}", ExitCode.INCOMPLETE)
    except Exception as error:  # noqa: BLE001 - Python's own exit code would accuse the target
        return _say(_broken(error), ExitCode.INCOMPLETE)
    return result if isinstance(result, int) else ExitCode.CONFORMANT


def _say(sentence: str, code: ExitCode) -> int:
    console.words(sentence)
    return code


def _broken(error: Exception) -> str:
    """Say what broke here, and where, in a sentence that whoever mends it can use."""
    *_, frame = traceback.extract_tb(error.__traceback__)
    where = f"{frame.filename}:{frame.lineno}"
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return f"this program broke, which says nothing about the target: {said} (at {where})"
