"""The expression language: the only home of the CEL engines.

``compile_selector`` turns the text of a device selector (``selectors[].cel.expression``) into a
``Selector`` that is asked about devices. The dialect is that of Kubernetes (KEP-4381): variable
``device``, optional syntax, strings, ``cel.bind``, quantities and semantic versions.

The engine parses and checks types (``environment``, with the functions of ``declarations``);
its tree is read (``reading``, ``tree``), checked for what only Kubernetes refuses (``checks``),
priced as Kubernetes prices it (``cost``), and evaluated here (``engine``), for the engine has no
values of foreign types, no maps with defaults, and counts no cost.

What Kubernetes has and this has not is refused when it is compiled, never evaluated to something
else: ``device`` as a value of its own, comprehensions with two variables, ``format``,
``sortBy``, URLs, IP addresses, named formats, durations and timestamps.

``compile_derived`` compiles the expression of a derived attribute in the same dialect.
``compile_expression`` compiles what policies are written in: the same dialect over plain values;
``compile_patch`` those whose value is a JSON patch.

Pure: no I/O, no clock. Imported by ``dra`` and ``policy``; imports only ``kube``.
"""

from __future__ import annotations

from conformance.cel.errors import CompileError, EvaluationError
from conformance.cel.expression import Expression, compile_expression
from conformance.cel.patches import Patch, compile_patch
from conformance.cel.selector import (
    Derived,
    Selector,
    compile_derived,
    compile_selector,
    derived_cost,
)

__all__ = [
    "CompileError",
    "Derived",
    "EvaluationError",
    "Expression",
    "Patch",
    "Selector",
    "compile_derived",
    "compile_expression",
    "compile_patch",
    "compile_selector",
    "derived_cost",
]
