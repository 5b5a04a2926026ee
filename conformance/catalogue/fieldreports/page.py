"""The table of reports as a page, with the faults that prove what finds them.

``python -m conformance.catalogue.fieldreports.page`` prints it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from conformance.catalogue import loading, proofs
from conformance.catalogue.errors import CatalogueError
from conformance.catalogue.fieldreports import table
from conformance.catalogue.fieldreports.table import FieldReport
from conformance.catalogue.model import Catalogue
from conformance.catalogue.proofs import Proofs

#: Letters of the ids, and what reports of that class are about.
CLASSES = {
    "A": "Publishing ResourceSlices",
    "B": "Preparing and undoing claims",
    "C": "CDI specifications",
    "D": "Health",
    "E": "Device metadata",
    "F": "Deployment",
}

_HEAD = """\
# What went wrong with drivers, and what finds it here

Each row is a public report. *Judged by* are the requirements that would have failed;
*proved by* are faults of the reference, each of which must make the requirement fail (a policy
is proved by the manifests of its tests). Where no requirement can find a fault, the reason stands
instead. Generated from `conformance/catalogue/reports.yaml`; never edit it by hand.
"""


def page(rows: Sequence[FieldReport], law: Catalogue, proved: Proofs) -> str:
    """Return the table as Markdown."""
    return "\n".join([_HEAD, *_sections(rows, law, proved)])


def _sections(rows: Sequence[FieldReport], law: Catalogue, proved: Proofs) -> Iterator[str]:
    for letter, title in CLASSES.items():
        yield f"## {title}\n"
        yield "| report | judged by | proved by |"
        yield "|---|---|---|"
        for row in rows:
            if row.id.startswith(letter):
                yield _line(row, law, proved)
        yield ""


def _line(row: FieldReport, law: Catalogue, proved: Proofs) -> str:
    if row.reason:
        return f"| {row.id}: {row.reference} | {row.reason} | |"
    known = ", ".join(law.requirement(one).id for one in row.requirements)
    faults = {fault.name for one in row.requirements for fault in proved.saboteurs_of(one)}
    return f"| {row.id}: {row.reference} | {known} | {', '.join(sorted(faults))} |"


if __name__ == "__main__":
    try:
        sys.stdout.write(page(table.load(), loading.load(), proofs.collect()))
    except CatalogueError as error:
        sys.exit(str(error))
