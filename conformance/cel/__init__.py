"""The expression language: the only home of the CEL engines.

``compile_selector`` turns the text of a device selector (``selectors[].cel.expression``) into a
``Selector`` that is asked about devices. The dialect is that of Kubernetes (KEP-4381): variable
``device``, optional syntax, strings, ``cel.bind``, quantities and semantic versions.

What differs from Kubernetes, because the engine cannot do it: ``device`` is no value of its own
(``cel.bind(d, device, ...)`` and ``device["driver"]`` do not compile); looking up a domain that
the device lacks gives an empty map only where the domain stands in the expression as an index;
quantities and versions are maps and lists inside (``type(x)`` tells); the libraries for lists,
regular expressions, URLs, IP addresses, formats and sets are not there. An expression that needs
them is refused when it is compiled, never evaluated to something else.

Pure: no I/O, no clock. Imported by ``dra`` and ``policy``; imports only ``kube``.
"""

from __future__ import annotations

from conformance.cel.errors import CompileError, EvaluationError
from conformance.cel.selector import Selector, compile_selector

__all__ = ["CompileError", "EvaluationError", "Selector", "compile_selector"]
