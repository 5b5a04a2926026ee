"""Hold the law, the suite, the saboteurs, the policies and the schemas together.

    python -m conformance.catalogue.lint [--suite DIR] [--faults DIR] [--policies DIR]

Prints one line for each finding (``file:line:column: sentence``) and ends with 1 if there are any.
Both directions count: an id that a marker, a gap, a profile, a policy or a saboteur names must
exist, and a requirement must have a check, a policy or a gap, be in a profile, and be right about
its source. What is a MUST and has a check must have a saboteur too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from conformance.catalogue import loading, proofs, reading, schema
from conformance.catalogue.errors import CatalogueError, UnknownId
from conformance.catalogue.model import Catalogue, CheckKind, Level, Profile, matches
from conformance.catalogue.proofs import Proofs


def findings(
    folder: Path, suite: Path, faults: Path, rules: Path = proofs.POLICIES
) -> list[CatalogueError]:
    """Return everything that is wrong, files of the law first."""
    found: list[CatalogueError] = []
    tables = [(path, folder) for path in loading.files(folder)]
    tables += [(path, faults) for path in sorted(faults.glob("*.yaml"))]
    for path, home in tables:
        try:
            found += schema.validate(path, reading.named(path, home))
        except CatalogueError as error:
            found.append(error)
    try:
        law, proved = loading.load(folder), proofs.collect(suite, faults, rules)
    except CatalogueError as error:
        if str(error) not in map(str, found):
            found.append(error)
        return found
    for rule in (sources, profiles, features, gaps, markers, policies, unproved, breaks, trusted):
        found += rule(law, proved)
    return found


def sources(law: Catalogue, _: Proofs) -> Iterator[CatalogueError]:
    """Yield requirements that cite what is not listed, and listed sections that none cites."""
    cited: set[tuple[str, str]] = set()
    for one in law.requirements.values():
        cited.add((one.source.document, one.source.section))
        document = law.documents.get(one.source.document)
        if document is None:
            sentence = f"{one.id} cites {one.source.document!r}, which documents/ lacks"
            yield CatalogueError(one.position, sentence)
        elif one.source.section not in document.sections:
            sentence = f"{one.id} cites {one.source.section!r}, no section of {document.title!r}"
            yield CatalogueError(one.position, sentence)
    for document in law.documents.values():
        for section in document.sections:
            if (document.title, section) not in cited:
                sentence = f"no requirement cites {section!r} of {document.title!r}"
                yield CatalogueError(document.position, sentence)


def profiles(law: Catalogue, _: Proofs) -> Iterator[CatalogueError]:
    """Yield profiles that name what does not exist, and requirements that are in none."""
    for profile in law.profiles.values():
        for name in profile.features:
            if name not in law.features:
                yield CatalogueError(profile.position, f"no feature is called {name!r}")
        for glob in (*profile.ids, *profile.except_):
            if not any(matches(one, [glob]) for one in law.requirements.values()):
                yield CatalogueError(profile.position, f"no requirement matches {glob!r}")
        yield from _table(law, profile)
    for one in law.requirements.values():
        if not law.profiles_of(one):
            yield CatalogueError(one.position, f"{one.id} is in no profile")


def features(law: Catalogue, _: Proofs) -> Iterator[CatalogueError]:
    """Yield features with other minors than the rest, and requirements of unknown features."""
    gates = {gate for feature in law.features.values() for gate in feature.gates}
    for feature in law.features.values():
        if tuple(feature.stages) != law.versions:
            sentence = f"{feature.name} has other Kubernetes minors than {', '.join(law.versions)}"
            yield CatalogueError(feature.position, sentence)
        for gate in feature.requires:
            if gate not in gates:
                yield CatalogueError(feature.position, f"no feature has the gate {gate!r}")
    for one in law.requirements.values():
        if one.feature is not None and one.feature not in law.features:
            sentence = f"{one.id} belongs to {one.feature!r}, which features.yaml lacks"
            yield CatalogueError(one.position, sentence)


def gaps(law: Catalogue, proved: Proofs) -> Iterator[CatalogueError]:
    """Yield gaps of unknown ids, of facts, and of requirements that have a check by now."""
    for gap in law.gaps.values():
        if gap.id not in law.requirements:
            yield CatalogueError(gap.position, str(UnknownId(gap.id, law.requirements)))
        elif law.requirements[gap.id].level is Level.INFO:
            yield CatalogueError(gap.position, f"{gap.id} is a fact: it cannot have a gap")
        for check in proved.checks_of(gap.id):
            sentence = f"the gap is stale: {check.nodeid} judges {gap.id}"
            yield CatalogueError(gap.position, sentence)
        for policy in proved.policies_of(gap.id):
            sentence = f"the gap is stale: the policy {policy.id} judges {gap.id}"
            yield CatalogueError(gap.position, sentence)


def policies(law: Catalogue, proved: Proofs) -> Iterator[CatalogueError]:
    """Yield policies that cite an unknown id, or what is not judged by policies."""
    for policy in proved.policies:
        for name in policy.requirements:
            if name not in law.requirements:
                sentence = f"{policy.id}: {UnknownId(name, law.requirements)}"
                yield CatalogueError(policy.position, sentence)
            elif law.requirements[name].check not in (CheckKind.POLICY, CheckKind.BOTH):
                kind = law.requirements[name].check
                sentence = f"{policy.id}: {name} is not judged by policies: its check is {kind}"
                yield CatalogueError(policy.position, sentence)


def markers(law: Catalogue, proved: Proofs) -> Iterator[CatalogueError]:
    """Yield markers without a known id, and ids that one test names twice.

    Several rows of one test may judge the same requirement.
    """
    for check in proved.checks:
        seen: set[str] = set()
        for marker in check.markers:
            if marker.id is None:
                yield CatalogueError(marker.position, "a marker names its ids as literal texts")
            elif marker.id not in law.requirements:
                sentence = str(UnknownId(marker.id, law.requirements))
                yield CatalogueError(marker.position, sentence)
            elif marker.id in seen and not marker.of_row:
                sentence = f"{check.function} names {marker.id} twice"
                yield CatalogueError(marker.position, sentence)
            elif law.requirements[marker.id].check in (CheckKind.NONE, CheckKind.POLICY):
                sentence = f"{marker.id} is not judged by tests: its check is " + (
                    law.requirements[marker.id].check
                )
                yield CatalogueError(marker.position, sentence)
            seen.add(marker.id or "")


def unproved(law: Catalogue, proved: Proofs) -> Iterator[CatalogueError]:
    """Yield requirements that have neither a check nor a policy nor a gap."""
    judged = {name for one in (*proved.checks, *proved.policies) for name in one.requirements}
    for one in law.requirements.values():
        if one.level is not Level.INFO and one.id not in judged and one.id not in law.gaps:
            yield CatalogueError(one.position, f"{one.id} has neither a check, a policy nor a gap")


def breaks(law: Catalogue, proved: Proofs) -> Iterator[CatalogueError]:
    """Yield saboteurs that break an unknown id, or nothing that a check judges."""
    judged = {name for check in proved.checks for name in check.requirements}
    for saboteur in proved.saboteurs:
        for name in saboteur.breaks:
            if name not in law.requirements:
                sentence = f"{saboteur.name}: {UnknownId(name, law.requirements)}"
                yield CatalogueError(saboteur.position, sentence)
            elif name not in judged:
                sentence = f"{saboteur.name} breaks {name}, which no check judges"
                yield CatalogueError(saboteur.position, sentence)


def trusted(law: Catalogue, proved: Proofs) -> Iterator[CatalogueError]:
    """Yield obligations whose checks no saboteur can fail: such checks prove nothing."""
    for one in law.requirements.values():
        if one.level is not Level.MUST or proved.saboteurs_of(one.id):
            continue
        if proved.checks_of(one.id):
            yield CatalogueError(one.position, f"{one.id} has a check that no saboteur fails")


def _table(law: Catalogue, profile: Profile) -> Iterator[CatalogueError]:
    for row, names in profile.kep5970.items():
        for name in names:
            if name not in law.requirements:
                sentence = f"{row}: {UnknownId(name, law.requirements)}"
                yield CatalogueError(profile.position, sentence)
            elif not profile.holds(law.requirements[name]):
                sentence = f"{row}: {name} is not in the profile"
                yield CatalogueError(profile.position, sentence)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the findings; 0 without any, 1 with some, 2 for a folder that does not exist."""
    parser = argparse.ArgumentParser(prog="python -m conformance.catalogue.lint")
    parser.add_argument("--suite", type=Path, default=proofs.SUITE, help="folder of the checks")
    parser.add_argument("--faults", type=Path, default=proofs.FAULTS, help="folder of saboteurs")
    parser.add_argument("--policies", type=Path, default=proofs.POLICIES, help="folder of policies")
    options = parser.parse_args(arguments)
    for folder in (options.suite, options.faults, options.policies):
        if not folder.is_dir():
            parser.error(f"no such folder: {folder}")
    found = findings(loading.LAW, options.suite, options.faults, options.policies)
    for finding in found:
        print(finding)  # noqa: T201 - the findings are the output of this program
    law = loading.load() if not found else None
    if law:
        summary = f"{len(law.requirements)} requirements, {len(law.gaps)} gaps: nothing to say"
        print(summary, file=sys.stderr)  # noqa: T201 - words for people
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
