"""``isel port``: C with one machine's intrinsics as code of another, and the proof beside it."""

from __future__ import annotations

import argparse
import sys

from isel.cli.edge import NOT_PROVED, OK, REFUTED, USER_ERROR
from isel.cli.files import check_writable, write_file
from isel.cli.kinds import Kind, code_of, kind_of
from isel.cli.listing import check_json, verdicts
from isel.cli.port.compile import source_module
from isel.cli.port.given import port_of
from isel.cli.port.versions import Versions
from isel.cli.progress import progress
from isel.errors import UsageProblem
from isel.json_text import print_json
from isel.model.verdict import Proved, Refuted


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel port``."""
    kind = kind_of(arguments)
    if kind is Kind.BITCODE:
        raise UsageProblem("isel port writes OUT.ll, OUT.s or OUT.o, expected -o with one of them")
    check_json(arguments, "code")
    check_writable(arguments.output)
    port = port_of(arguments)
    with progress("compiling", always=True) as tell:
        found = Versions(port, source_module(port), arguments.words, arguments.cache, tell)
        found.run()
    _tell(found, json=arguments.json)
    kinds = {type(a.verdict) for a in found.answers if a.name not in found.outside}
    if Refuted in kinds:
        return REFUTED
    aim = {"triple": port.triple, "cpu": port.cpu, "features": port.features}
    write_file(arguments.output, code_of(kind, found.text, port.path, level=2, **aim))
    if found.refused:
        return USER_ERROR
    return OK if kinds <= {Proved} and not found.outside else NOT_PROVED


def _tell(found: Versions, *, json: bool) -> None:
    sys.stderr.writelines(f"isel: remark: {said}\n" for said in found.said)
    sys.stderr.writelines(f"@{name}: {line}\n" for name, line in _lines(found))
    if json:
        known = [a for a in found.answers if a.name not in found.outside]
        print_json({"functions": verdicts(known), "outside": found.outside, "said": found.said})


def _lines(found: Versions) -> list[tuple[str, str]]:
    """Return what is said of each function, in the order of the file."""
    lines: list[tuple[str, str]] = []
    for a in found.answers:
        line = a.line.partition(": ")[2]
        if a.name in found.outside:
            line = f"unknown: left out: {found.outside[a.name]}"
        elif a.name in found.refused:
            line = f"{line}; {found.refused[a.name]}"
        lines.append((a.name, line))
    return lines
