"""SARIF 2.1.0, written and read: the format in which editors and code hosts take results."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from isel import __version__
from isel.cli.limits import REMARKS_LEAST, REMARKS_LINES, REMARKS_LOOPS, REMARKS_MOST, REMARKS_SAID
from isel.cli.remarks.findings import FAILED, RULES, Finding
from isel.json_text import to_json

_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT: Final = "ROOT"
_FINGERPRINT: Final = "iselWindow/v1"


class NotSarif(ValueError):
    """Text that is not what :func:`sarif` writes."""


def sarif(findings: Iterable[Finding], root: str, *, named: bool) -> str:
    """Return a log of one run.  Files below the folder ``root`` are told relative to it, others as
    absolute addresses; where the root is ``named`` the log says where it is.
    """
    numbers = {rule: k for k, rule in enumerate(RULES)}
    base: dict[str, object] = {"uri": f"file://{_quote(root).rstrip('/')}/"} if named else {}
    about = {"text": "the folder that addresses are relative to"}
    rules = [
        {
            "id": rule,
            "shortDescription": {"text": words},
            "defaultConfiguration": {"level": _level(rule)},
        }
        for rule, words in RULES.items()
    ]
    run = {
        "tool": {"driver": {"name": "isel", "version": __version__, "rules": rules}},
        "originalUriBaseIds": {_ROOT: base | {"description": about}},
        "results": [_result(f, numbers[f.rule], root) for f in findings],
        "columnKind": "utf16CodeUnits",
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return to_json(log, indent=1) + "\n"


def _level(rule: str) -> str:
    return "warning" if rule == FAILED else "note"


def _result(f: Finding, number: int, root: str) -> Mapping[str, object]:
    told: dict[str, object] = {
        "ruleId": f.rule,
        "ruleIndex": number,
        "level": _level(f.rule),
        "message": {"text": f.message},
        "partialFingerprints": {_FINGERPRINT: f.fingerprint},
        "properties": {
            "cyclesBefore": f.before,
            "cyclesAfter": f.after,
            "function": f.function,
            "loops": f.loops,
            "root": f.root,
        },
    }
    place: dict[str, object] = {}
    if f.file:
        place["physicalLocation"] = _physical(f, root)
    if f.function:
        place["logicalLocations"] = [{"name": f.function, "kind": "function"}]
    return told | ({"locations": [place]} if place else {})


def _physical(f: Finding, root: str) -> Mapping[str, object]:
    found: dict[str, object] = {"artifactLocation": _address(f.file, root)}
    if f.line:
        found["region"] = {"startLine": f.line} | ({"startColumn": f.column} if f.column else {})
    return found


def _address(file: str, root: str) -> Mapping[str, str]:
    inside = os.path.relpath(file, root)
    if inside.split(os.sep, 1)[0] != os.pardir:
        return {"uri": _quote(inside), "uriBaseId": _ROOT}
    return {"uri": f"file://{_quote(file)}"}


def _quote(path: str) -> str:
    return quote(path, errors="surrogateescape")


def read_sarif(text: str) -> list[Finding]:
    """Return the findings of a log that says where its root is; raises :class:`NotSarif`."""
    found: list[Finding] = []
    try:
        (run,) = json.loads(text)["runs"]
        root = _path(run["originalUriBaseIds"][_ROOT]["uri"])
        for r in run["results"]:
            p = r["properties"]
            place = r.get("locations", [{}])[0].get("physicalLocation", {})
            region = place.get("region", {})
            found.append(
                Finding(
                    _rule(r["ruleId"]),
                    str(r["message"]["text"]),
                    str(p["function"]),
                    str(p["root"]),
                    os.path.join(root, _path(place["artifactLocation"]["uri"])) if place else "",
                    _count(region.get("startLine", 0)),
                    _count(region.get("startColumn", 0)),
                    _cycles(p["cyclesBefore"]),
                    _cycles(p["cyclesAfter"]),
                    _count(p["loops"], REMARKS_LOOPS),
                    str(r["partialFingerprints"][_FINGERPRINT]),
                )
            )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as problem:
        said = " ".join(str(problem).split())[:REMARKS_SAID]
        raise NotSarif(f"{type(problem).__name__}: {said}") from None
    return found


def _rule(name: str) -> str:
    if name not in RULES:
        raise NotSarif(f"no rule is called {name[:REMARKS_SAID]!r}")
    return name


def _count(value: object, most: int = REMARKS_LINES) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise NotSarif(f"{_say(value)} is no number from 0 to {most}")
    return value


def _cycles(value: object) -> float | None:
    """Return cycles; what is no finite number of some, or so small that ratios are none, is
    forged.
    """
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        if value == 0 or REMARKS_LEAST <= value <= REMARKS_MOST:
            return float(value)
    raise NotSarif(f"{_say(value)} is no number of cycles")


def _say(value: object) -> str:
    return repr(value)[:REMARKS_SAID]


def _path(uri: str) -> str:
    path = unquote(urlsplit(uri).path, errors="surrogateescape")
    path.encode(errors="surrogateescape")  # what is no file's name raises an error
    return path
