"""``isel cache list``, ``show`` and ``export --pairs``: results of the search as people and
other provers read them.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from frontends.llvm.linked.binding import llvm_version, normalise
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.refine.report import verify_report
from frontends.llvm.report.pair import pair_text
from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.text.parse import parse_module
from isel import __version__
from isel.cache.cached import proved_again, read_programs
from isel.cache.database import Database
from isel.cache.rows import ResultRow, Signed
from isel.cache.store import Store
from isel.cache.window_text import read_window
from isel.cli.edge import NOT_PROVED, OK
from isel.cli.files import write_file
from isel.cli.limits import KEY_DIGITS, RESULTS_EFFORT
from isel.cli.progress import progress
from isel.cli.texts import folder_for
from isel.errors import FileProblem, IselError, UnknownName, UsageProblem
from isel.ir.expr import const
from isel.json_text import print_json
from isel.model.answer import Candidate
from isel.model.program import Program, read_program
from isel.model.verdict import Proved
from isel.model.window import Window
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from isel.trust import UNREADABLE
from semantics import target_named, triple_of
from semantics.pricing import priced_cpus


@dataclass(frozen=True)
class Found:
    """A result: the window, its best program, what says whether that is optimal, and how many
    windows of kept functions are equal to it.
    """

    row: ResultRow
    window: Window
    program: Program
    claim: str
    uses: int

    @cached_property
    def target(self) -> Target:
        """The target whose instructions the program uses."""
        return target_named(self.row.target)

    @cached_property
    def used(self) -> tuple[Instruction, ...]:
        """The instructions of the program in order."""
        by_name = {i.name: i for i in self.target.instructions()}
        return tuple(by_name[s.name] for s in self.program.steps if s.kind == "apply")

    @property
    def gain(self) -> int | None:
        """Return what the program saves in hundredths of a cycle, None where nobody knows what
        the window costs without it.
        """
        return None if self.window.price is None else self.window.price - self.program.cost

    @property
    def mnemonics(self) -> str:
        """Return the instructions in words, those that occur several times once."""
        counts = Counter(i.mnemonic for i in self.used)
        words = (f"{n} x {name}" if n > 1 else name for name, n in counts.items())
        return ", ".join(words) or "no instruction"


_ORDERS: Final = {
    "gain": lambda f: (f.gain is None, -(f.gain or 0), f.row.key),
    "uses": lambda f: (-f.uses, f.row.key),
    "key": lambda f: f.row.key,
}


_FLAGS: Final = (
    ("sort", "list"), ("pairs", "export"), ("host", "serve"), ("port", "serve"),
    ("json", "stats', 'list', 'check"),
)  # fmt: skip


def check_arguments(arguments: argparse.Namespace) -> None:
    """Raise :class:`UsageProblem` where an action of ``isel cache`` lacks what it needs, or is
    given what it does not take.
    """
    action = arguments.action
    for flag, of in _FLAGS:
        if getattr(arguments, flag) is not None and action not in of.split("', '"):
            raise UsageProblem(f"--{flag} belongs to 'isel cache {of}'")
    needs = "a key" if action == "show" else ""
    if action in ("export", "import") and arguments.pairs is None:
        needs = "a file"
    if bool(needs) != (arguments.file is not None):
        beside = "" if arguments.pairs is None else " beside --pairs"
        raise UsageProblem(f"isel cache {action} takes {needs or 'no file'}{beside}")


def list_results(store: Store | None, arguments: argparse.Namespace) -> int:
    """Print a line a result: its key, what it saves, how often it is used, its instructions."""
    found, empty, damaged = _results(store)
    found = sorted(found, key=_ORDERS[arguments.sort or "key"])
    if arguments.json:
        return print_json([_as_json(f) for f in found])
    print(f"{'key':{KEY_DIGITS}} {'gain':>8} {'before':>8} {'after':>8} {'uses':>5}  instructions")
    for f in found:
        cells = " ".join(f"{_cycles(v):>8}" for v in (f.gain, f.window.price, f.program.cost))
        print(f"{f.row.key[:KEY_DIGITS]} {cells} {f.uses:5}  {f.mnemonics}")
    what = "cycles of reciprocal throughput on the CPU searched for"
    print(f"{len(found)} results with a program ({what}), {empty} without")
    if damaged:
        print(f"{damaged} rows cannot be read: 'isel cache check' names them")
    return OK


def _as_json(f: Found) -> dict[str, object]:
    costs = {"gain": f.gain, "before": f.window.price, "after": f.program.cost}
    cycles = {name: None if n is None else n / 100 for name, n in costs.items()}
    return {"key": f.row.key, "uses": f.uses, "instructions": f.mnemonics} | cycles


def show_result(store: Store | None, arguments: argparse.Namespace) -> int:
    """Print the pair of one result."""
    found = _name(_results(store)[0], arguments.file)
    with LlvmWorker() as worker:
        text = _proved_pair(found, worker)
    if isinstance(text, _Left):
        raise FileProblem(f"result {found.row.key[:KEY_DIGITS]}", text.reason)
    sys.stdout.write(text)
    return OK


def export_pairs(store: Store | None, arguments: argparse.Namespace) -> int:
    """Write a file a result into a folder, each as soon as it is proved; what is not proved as it
    is written is left out and said.
    """
    folder = folder_for(arguments.pairs)
    left = written = 0
    with progress("reading the cache", always=True) as tell, LlvmWorker() as worker:
        found = _results(store)[0]
        for k, f in enumerate(found):
            tell("results proved", k, len(found))
            text = _proved_pair(f, worker)
            if isinstance(text, _Left):
                left += 1
                print(f"left out {f.row.key[:KEY_DIGITS]} ({f.mnemonics}): {text.reason}")
                continue
            write_file(str(folder / _file_name(f)), text.encode())
            written += 1
    print(f"wrote {written} pairs to {folder}, left out {left}")
    return NOT_PROVED if left else OK


@dataclass(frozen=True, slots=True)
class _Left:
    reason: str


def _results(store: Store | None) -> tuple[list[Found], int, int]:
    """Return the results with programs by key, and the numbers of those without and of those
    that cannot be read.
    """
    databases = [] if store is None else [d for d in (store.seed, store.overlay) if d is not None]
    rows = {row.key: row for d in databases for row in d.results()}
    uses = _uses(databases)
    found: list[Found | None] = []
    damaged = 0
    for key in sorted(rows):
        try:
            found.append(_find(rows[key], uses))
        except (*UNREADABLE, IselError):
            damaged += 1
    return [x for x in found if x is not None], found.count(None), damaged


def _uses(databases: Sequence[Database]) -> Counter[str]:
    """Count the windows that signed functions were made with."""
    values = (row for d in databases for row in d.values("functions"))
    signed = (value for _, value, how in values if how is Signed.RIGHT)
    return Counter(name for value in signed for name in _windows_of(value))


def _find(row: ResultRow, uses: Counter[str]) -> Found | None:
    window = read_window(row.window)
    kept, _ = read_programs(row)
    if not kept:
        return None
    program = replace(read_program(kept[0].text), cost=kept[0].cost)
    made = Found(row, window, program, kept[0].claim, uses[window.digest])
    assert made.used is not None  # a name that is no instruction is found here
    return made


def _windows_of(value: str) -> list[str]:
    """Return the windows that were rewritten in a function that is kept."""
    try:
        rows = json.loads(value)["windows"]
        return [str(row["window"]) for row in rows if row["after"]]
    except UNREADABLE:
        return []


def _name(found: Sequence[Found], key: str) -> Found:
    matching = [f for f in found if f.row.key.startswith(key)]
    if len(matching) > 1:
        raise UsageProblem(f"{len(matching)} results have keys that begin with '{key}'")
    if not matching:
        raise UnknownName("result", key, tuple(f.row.key[:KEY_DIGITS] for f in found))
    return matching[0]


def _proved_pair(f: Found, worker: LlvmWorker) -> str | _Left:
    """Return the pair with its head, proved as it is written, or why there is none."""
    by_name = {i.name: i for i in f.target.instructions()}
    try:
        text = pair_text(_plainest(f), f.program, by_name, triple=triple_of(f.target))
        answers = verify_report(parse_module(normalise(text)), None, f.target)
    except EmissionError as problem:
        return _Left(str(problem))
    except IselError as problem:
        return _Left(problem.message().splitlines()[0])
    if not answers or not all(isinstance(a.verdict, Proved) for a in answers):
        return _Left("; ".join(a.line for a in answers) or "no pair")
    return "".join(f"; {line}".rstrip() + "\n" for line in _head(f, text, worker)) + "\n" + text


def _plainest(f: Found) -> Window:
    """Return the window without its facts and conditions if the program is right without them,
    which makes a shorter source and says more.
    """
    roots = tuple(replace(r, defined=(const(1, 1),) * len(r.lanes)) for r in f.window.roots)
    plain = replace(f.window, roots=roots, facts=())
    (kept, *_), _ = read_programs(f.row)
    again = proved_again(kept, plain, {i.name: i for i in f.used}, RESULTS_EFFORT)
    return plain if isinstance(again, Candidate) else f.window


def _head(f: Found, text: str, worker: LlvmWorker) -> Iterator[str]:
    names = dict.fromkeys(f"{i.mnemonic} ({i.name})" for i in f.used)
    yield f"isel {__version__}, result {f.row.key}"
    yield f"instructions: {', '.join(names)}"
    yield f"operations: {f.mnemonics}"
    yield f"search: {f.claim}"
    yield f"uses: {f.uses} in the functions of this cache"
    yield "proved: 'isel verify' on this file exits 0"
    yield ""
    yield f"cycles as LLVM {llvm_version()} compiles each, with and without -O3 (isel's model):"
    yield f"{'CPU':16} {'@src':>7} {'@tgt':>7}"
    needed = {x for i in f.used for x in i.features}
    for cpu in priced_cpus(f.target):
        lacking = sorted(needed - f.target.features(cpu, ""))
        if lacking:
            yield f"{cpu:16} lacks {' '.join(lacking)}"
            continue
        gate = Gate(worker, f.target, cpu, "", triple_of(f.target))
        costs = (gate.cost(text, name) for name in ("src", "tgt"))
        shown = ("-" if c is None else f"{c:.2f}" for c in costs)
        yield f"{cpu:16} " + " ".join(f"{x:>7}" for x in shown)


def _file_name(f: Found) -> str:
    names = "-".join(dict.fromkeys(re.sub(r"\W", "", i.mnemonic) for i in f.used)) or "plain"
    return f"{names[:60]}-{f.row.key[:KEY_DIGITS]}.ll"


def _cycles(hundredths: int | None) -> str:
    return "-" if hundredths is None else f"{hundredths / 100:.2f}"
