"""Expressions by chance: typed ones, and a few that are ill-typed or malformed."""

from __future__ import annotations

from typing import Any

from conformance.tests.differential.cel import devices, words
from conformance.tests.differential.cel.question import Question
from conformance.tests.differential.inventory import Dice

#: How deep expressions nest.
_DEPTH = 4


def question(dice: Dice) -> Question:
    """Return an expression, a device to ask it about, and what admission knows."""
    return {
        "expression": expression(dice),
        "driver": dice.pick(devices.DRIVERS[0], devices.DRIVERS[0], devices.DRIVERS[1]),
        "device": devices.device(dice),
        "gates": {"multi": not dice.seldom(), "lists": dice.half()},
    }


def expression(dice: Dice) -> str:
    """Return an expression that mostly compiles and mostly says yes or no."""
    kind = "bool" if not dice.rarely() else dice.pick("dyn", "string", "int", "optional")
    text = Drawing(dice).of(kind, _DEPTH)
    return _broken(dice, text) if dice.rarely() else text


def _broken(dice: Dice, text: str) -> str:
    at = dice.number(0, max(len(text) - 1, 0))
    return dice.pick(
        text[:at] + text[at + 1 :],
        text[:at] + dice.pick("(", ")", '"', "[", ".", "?", "&&", "'", "\\", "%", "1") + text[at:],
        text[:at],
        text + " " + dice.pick("||", "&&", "==", ")", "true"),
    )


class Drawing:
    """Draws one expression; knows the local variables in reach."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._locals: list[tuple[str, str]] = []

    def of(self, kind: str, depth: int) -> str:
        """Return an expression of a type, seldom of another one."""
        if self._dice.hardly():
            kind = self._dice.pick(*words.KINDS)
        known = [name for name, of in self._locals if of in {kind, "dyn"}]
        if known and self._dice.half():
            return self._dice.pick(*known)
        if depth <= 0 or self._dice.seldom():
            return self._leaf(kind)
        return self._fill(self._dice.pick(*words.FORMS[kind]), depth - 1)

    def _leaf(self, kind: str) -> str:
        if kind in words.ATTRIBUTE_OF and self._dice.often():
            return self.attribute(words.ATTRIBUTE_OF[kind])
        leaf: Any = self._dice.pick(*words.LEAVES[kind])
        return self._fill(leaf, 0)

    def attribute(self, names: tuple[str, ...]) -> str:
        """Return the way to an attribute."""
        name = self._dice.pick(*names)
        domain = self._domain()
        form = self._dice.pick(*words.ATTRIBUTE_FORMS)
        return form.format(domain=domain, name=name)

    def _domain(self) -> str:
        if self._dice.seldom():
            return "device.driver"
        picked = self._dice.pick(devices.DOMAINS[0], devices.DOMAINS[0], *devices.DOMAINS)
        return f'"{picked}"'

    def _fill(self, form: str, depth: int) -> str:
        """Replace every ``<kind>`` by an expression, every ``{name}`` by a word."""
        done = ""
        while form:
            before, opened, rest = form.partition("<<")
            done += before
            if not opened:
                break
            hole, _, form = rest.partition(">>")
            if hole.startswith("with "):
                # with x:int in bool: a local variable, and the expression that sees it.
                _, declared, _, kind = hole.split()
                name, _, of = declared.partition(":")
                self._locals.append((name, of))
                done += self.of(kind, depth)
                self._locals.pop()
            elif hole in words.CHOICES:
                done += self._dice.pick(*words.CHOICES[hole])
            elif hole == "domain":
                done += self._domain()
            else:
                done += self.of(hole, depth)
        return done
