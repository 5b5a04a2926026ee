"""The functions of a selector beyond CEL's standard ones, as the checker has to know them.

One line for each overload: function, id, parameters, result; a method has its target before the
dot. A single capital letter stands for any type. Source: the environments of Kubernetes 1.37
(``k8s.io/apiserver/pkg/cel/environment``), documented at
kubernetes.io/docs/reference/using-api/cel.
"""

from __future__ import annotations

import json
from typing import Any

_QUANTITIES = """
quantity string_to_quantity (string) Quantity
isQuantity is_quantity_string (string) bool
sign quantity_sign (Quantity) int
isGreaterThan quantity_is_greater_than Quantity.(Quantity) bool
isLessThan quantity_is_less_than Quantity.(Quantity) bool
compareTo quantity_compare_to Quantity.(Quantity) int
asApproximateFloat quantity_get_float Quantity.() double
asInteger quantity_get_int Quantity.() int
isInteger quantity_is_integer Quantity.() bool
add quantity_add Quantity.(Quantity) Quantity
add quantity_add_int Quantity.(int) Quantity
sub quantity_sub Quantity.(Quantity) Quantity
sub quantity_sub_int Quantity.(int) Quantity
"""

_VERSIONS = """
semver string_to_semver (string) Semver
semver string_bool_to_semver (string,bool) Semver
isSemver is_semver_string (string) bool
isSemver is_semver_string_bool (string,bool) bool
isGreaterThan semver_is_greater_than Semver.(Semver) bool
isLessThan semver_is_less_than Semver.(Semver) bool
compareTo semver_compare_to Semver.(Semver) int
major semver_major Semver.() int
minor semver_minor Semver.() int
patch semver_patch Semver.() int
"""

_STRINGS = """
charAt string_char_at_int string.(int) string
indexOf string_index_of_string string.(string) int
indexOf string_index_of_string_int string.(string,int) int
join list_join list(string).() string
join list_join_string list(string).(string) string
lastIndexOf string_last_index_of_string string.(string) int
lastIndexOf string_last_index_of_string_int string.(string,int) int
lowerAscii string_lower_ascii string.() string
upperAscii string_upper_ascii string.() string
replace string_replace_string_string string.(string,string) string
replace string_replace_string_string_int string.(string,string,int) string
split string_split_string string.(string) list(string)
split string_split_string_int string.(string,int) list(string)
substring string_substring_int string.(int) string
substring string_substring_int_int string.(int,int) string
trim string_trim string.() string
strings.quote strings_quote (string) string
find string_find_string string.(string) string
findAll string_find_all_string string.(string) list(string)
findAll string_find_all_string_int string.(string,int) list(string)
"""

_LISTS = """
sets.contains list_sets_contains_list (list(A),list(A)) bool
sets.equivalent list_sets_equivalent_list (list(A),list(A)) bool
sets.intersects list_sets_intersects_list (list(A),list(A)) bool
indexOf list_a_index_of_int list(A).(A) int
lastIndexOf list_a_last_index_of_int list(A).(A) int
slice list_slice list(A).(int,int) list(A)
flatten list_flatten list(list(A)).() list(A)
flatten list_flatten_int list(dyn).(int) list(dyn)
lists.range lists_range (int) list(int)
optional.unwrap optional_unwrap (list(optional_type(A))) list(A)
unwrapOpt optional_unwrapOpt list(optional_type(A)).() list(A)
distinct list_distinct list(A).() list(A)
reverse list_reverse list(A).() list(A)
"""

_INCLUDES = """
includes list_includes_dyn_dyn dyn.(dyn) bool
"""

_COMPARABLE = ("int", "uint", "double", "bool", "string", "bytes")
_NUMBERS = ("int", "uint", "double")
#: Operators that Kubernetes declares for numbers of different kinds, which the engine does not.
ORDER = {"_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals"}
_ORDERED = (*_COMPARABLE, "timestamp", "duration")


def configuration(*, includes: bool) -> str:
    """Return the engine's configuration; ``includes`` comes with attributes that are lists."""
    lines = [*_QUANTITIES.split("\n"), *_VERSIONS.split("\n"), *_STRINGS.split("\n")]
    lines += [*_LISTS.split("\n"), *_templates()]
    if includes:
        lines += _INCLUDES.split("\n")
    functions: dict[str, list[Any]] = {}
    for line in filter(None, lines):
        name, overload = _overload(line)
        functions.setdefault(name, []).append(overload)
    return json.dumps(
        {
            "name": "device selectors",
            "stdlib": {"exclude_functions": [{"name": name} for name in ORDER]},
            "functions": [
                {"name": name, "overloads": overloads} for name, overloads in functions.items()
            ],
        }
    )


def _templates() -> list[str]:
    lines: list[str] = []
    for one in _COMPARABLE:
        lines.append(f"isSorted list_{one}_is_sorted_bool list({one}).() bool")
        lines.append(f"min list_{one}_min_{one} list({one}).() {one}")
        lines.append(f"max list_{one}_max_{one} list({one}).() {one}")
        lines.append(f"sort list_{one}_sort list({one}).() list({one})")
    lines += [f"sum list_{one}_sum_{one} list({one}).() {one}" for one in _NUMBERS]
    for operator, name in ORDER.items():
        lines += [f"{operator} {name}_{one} ({one},{one}) bool" for one in _ORDERED]
        lines += [
            f"{operator} {name}_{one}_{two} ({one},{two}) bool"
            for one in _NUMBERS
            for two in _NUMBERS
            if one != two
        ]
    return lines


def _overload(line: str) -> tuple[str, dict[str, Any]]:
    name, identity, signature, result = line.split()
    target, _, rest = signature.rpartition(".(")
    inside = (rest if target else signature[1:])[:-1]
    overload: dict[str, Any] = {
        "id": identity,
        "args": [_type(one) for one in _split(inside)],
        "return": _type(result),
    }
    if target:
        overload["target"] = _type(target)
    return name, overload


def _type(text: str) -> dict[str, Any]:
    name, opened, rest = text.partition("(")
    if len(name) == 1:
        return {"type_name": name, "is_type_param": True}
    if name in {"Quantity", "Semver"}:
        name = f"kubernetes.{name}"
    found: dict[str, Any] = {"type_name": name}
    if opened:
        found["params"] = [_type(one) for one in _split(rest[:-1])]
    return found


def _split(text: str) -> list[str]:
    """Split at the commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [one for one in parts if one]
