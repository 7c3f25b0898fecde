"""``isel select``: the best proved program for Halide expressions, one or a table of them."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from typing import Literal, TypeAlias

from frontends.halide.expr.code import Code, Compiler, best, contains
from frontends.halide.expr.lower import Spelling, is_vector
from frontends.halide.expr.parse import parse
from frontends.halide.expr.places import NotLowered
from frontends.halide.expr.reference import SPELLINGS, least, source_text, spelled, twins
from frontends.halide.expr.rows import Row, read_rows
from frontends.llvm.linked import binding
from frontends.llvm.linked.layouts import with_own_layout
from frontends.llvm.linked.names import check_names
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.constants import note
from frontends.llvm.passes.guesses import GUESSES
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Tools
from frontends.llvm.refine.decide import decide
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.options import Options as Comparison
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools
from isel.cli.files import read_bytes
from isel.cli.limits import SELECT_EPSILON
from isel.cli.progress import progress
from isel.cli.target import spell_native
from isel.json_text import to_json
from isel.model.verdict import Proved, Refuted
from isel.spec.target import Target
from isel.workers import Failed, Pool, processors
from semantics import isa_named
from semantics.pricing import priced_as, pricing

Verdict: TypeAlias = Literal["named", "cheaper", "equal", "failed", "selected"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What every row is selected for; ``older`` compile for CPUs whose code runs on the one
    selected for.
    """

    target: Target
    options: Options
    tools: Tools
    compiler: Compiler
    older: tuple[Compiler, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one row; ``seconds`` is the wall-clock time of the selection and its proof.

    ``constants`` are those that the program loads, by label; ``llvm_cost`` is what the code costs
    that LLVM makes of the expression by itself.
    """

    row: Row
    verdict: Verdict
    proof: str = ""
    program: tuple[str, ...] = ()
    cost: float | None = None
    reference_cost: float | None = None
    reason: str = ""
    seconds: float = 0.0
    module: str = ""
    constants: Mapping[str, str] = field(default_factory=dict)
    llvm_cost: float | None = None

    @property
    def passed(self) -> bool:
        """Tell whether the row became its instruction, or something as good."""
        return self.verdict != "failed"

    def json(self) -> str:
        """Return the row's object."""
        shown = {
            "instruction": self.row.instruction,
            "expression": self.row.expression,
            "lanes": self.row.lanes,
            "layout": self.row.is_layout,
            "passed": self.passed,
            "program": list(self.program),
            "constants": dict(self.constants),
            "cost": self.cost,
            "reference_cost": self.reference_cost,
            "llvm_cost": self.llvm_cost,
            "verdict": self.verdict,
            "proof": self.proof,
            "seconds": round(self.seconds, 3),
            "reason": self.reason,
        }
        return to_json(shown)


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel select``."""
    isa = isa_named(arguments.target)
    target, triple = isa.target(), isa.machine.triple
    cpu, features = arguments.mcpu or isa.usual.cpu, arguments.mattr or isa.usual.features
    if cpu == "native":
        cpu, features = spell_native(cpu, arguments.mattr or "")
    check_names(triple, cpu, features)
    has = target.features(cpu, features)
    rows = _rows(arguments, target.vector_bits(has, {}))
    effort = 1 if arguments.effort is None else arguments.effort
    options = Options(triple, cpu, features, effort)
    with (
        progress("selecting") as tell,
        LlvmWorker() as worker,
        make_tools(worker, options, arguments.cache) as tools,
    ):
        priced = pricing(target.name, priced_as(target.name, cpu, has))
        compiler = Compiler(worker, triple, cpu, features, priced)
        below = (c for c in isa.usual.older if target.features(c, "") <= has)
        older = tuple(replace(compiler, cpu=c, features="") for c in below)
        setting = Setting(target, options, tools, compiler, older)
        answers = _all(setting, rows, arguments.jobs or processors(), partial(tell, "rows"))
    sys.stdout.write(_text(answers, as_json=arguments.json))
    return 0


def _rows(arguments: argparse.Namespace, bits: int) -> tuple[Row, ...]:
    given: str = arguments.input
    if given == "-" or given.endswith(".tsv") or os.path.isfile(given):
        name = "<stdin>" if given == "-" else given
        return read_rows(read_bytes(given).decode(errors="replace"), name)
    node = parse(given)
    own = node.type.lanes if is_vector(node) else bits // max(node.type.bits, 8)
    lanes = arguments.lanes or own
    return (Row("", lanes, node.type.of(1), given, node),)


def _all(
    setting: Setting, rows: tuple[Row, ...], jobs: int, tell: Callable[[int, int], None]
) -> list[Answer]:
    """Select the first row here, so that workers inherit what is made once, the others side by
    side.
    """
    answers = [select(setting, r) for r in rows[:1]]
    found = Pool(jobs).map(lambda r: select(setting, r), rows[1:], tell)
    answers.extend(
        Answer(r, "failed", reason=a.reason) if isinstance(a, Failed) else a
        for r, a in zip(rows[1:], found, strict=True)
    )
    return answers


def select(setting: Setting, row: Row) -> Answer:
    """Select one row: lower it, search, compile, prove what is compiled, and compare with the
    instruction that it names.
    """
    start = time.monotonic()
    answer = replace(_select(setting, row), seconds=time.monotonic() - start)
    return _compare(setting, answer) if row.instruction and answer.verdict == "selected" else answer


def _select(setting: Setting, row: Row) -> Answer:
    try:
        source = source_text(row, setting.options.triple, Spelling())
    except NotLowered as problem:
        return Answer(row, "failed", reason=problem.why)
    plain = binding.normalise(source)
    codes = setting.compiler.codes(plain)
    code = best(codes)
    llvm_cost = None if code is None else code.cost
    # nothing is cheaper than one micro-operation
    if code is None or code.cost is None or code.uops > 1:
        others = dict.fromkeys(source_text(row, setting.options.triple, s) for s in SPELLINGS)
        done = rewrite_module(source, setting.options, setting.tools, "<expression>")
        texts = [*(t for t in others if t != source), *({done.text} - {done.before})]
        codes += [c for t in texts for c in setting.compiler.codes(t)]
        named = (c for c in codes if row.instruction and contains(c.lines, row.instruction))
        code = best((*named, *codes))  # of equal ones the one that the row is about
    if code is None:
        return Answer(row, "failed", reason="LLVM makes no code of it")
    proof, doubt = _proof(setting, plain, code)
    found = Answer(row, "selected", proof, code.lines, code.cost, llvm_cost=llvm_cost)
    found = replace(found, constants=code.constants)
    if proof != "proved":
        return replace(found, verdict="failed", reason=doubt)
    return replace(found, module=code.module)


def _proof(setting: Setting, source: str, code: Code) -> tuple[str, str]:
    # nobody asks where an expression's function lies, or which argument a call of it is
    given, after = (
        parse_module(t.replace(") local_unnamed_addr ", ") ").replace(" returned %", " %"))
        for t in (source, code.module)
    )
    # an expression is of no machine until it is compiled
    before = replace(given, layout=after.layout, triple=after.triple)
    both = before.functions[0], after.functions[0]
    frames = Frames.of(*map(with_own_layout, (before, after)))
    found = decide(*both, setting.target, frames, Comparison(guesses=GUESSES)).verdict
    match found:
        case Proved():
            return "proved", ""
        case Refuted():
            return "refuted", f"what was emitted is refuted at {found.where}"
    return "unknown", f"what was emitted is not proved: {found.reason}"


def _compare(setting: Setting, a: Answer) -> Answer:
    """Compare what was selected with the instruction that the row names."""
    if contains(a.program, a.row.instruction):
        return replace(a, verdict="named", reference_cost=a.cost)
    code = Code(a.program, a.cost, a.module)
    known = _look_up(setting, a.row, code)
    if known is not None and known[0].order < code.order:
        better, other = known
        spelling = Spelling(backwards=other.backwards)
        source = binding.normalise(source_text(a.row, setting.options.triple, spelling))
        proof, doubt = _proof(setting, source, better)
        if proof != "proved":
            return replace(a, verdict="failed", reference_cost=better.cost, reason=doubt)
        a = replace(a, verdict="named", cost=better.cost, reference_cost=better.cost)
        return replace(a, program=better.lines, constants=better.constants)
    reference = known[0].cost if known is not None else least(a.row, setting.compiler.priced)
    if reference is None or a.cost is None:
        what = f"'{a.row.instruction}'" if reference is None else "the code"
        return replace(a, verdict="failed", reason=f"{what} has no price")
    if a.cost <= reference + SELECT_EPSILON:
        verdict: Verdict = "cheaper" if a.cost < reference - SELECT_EPSILON else "equal"
        return replace(a, verdict=verdict, reference_cost=reference)
    why = f"dearer than '{a.row.instruction}' alone, and no program with it is known"
    return replace(a, verdict="failed", reference_cost=reference, reason=why)


def _look_up(setting: Setting, row: Row, code: Code) -> tuple[Code, Spelling] | None:
    """Return the cheapest program known that holds the instruction: of LLVM, of a twin of ours,
    or of a search for an older CPU.
    """
    found = list(spelled(row, (setting.compiler, *setting.older)))
    for text in twins(code, row, setting.target):
        named = (c for c in setting.compiler.codes(text) if contains(c.lines, row.instruction))
        right = (c for c in named if _proof(setting, code.module, c)[0] == "proved")
        found.extend((c, Spelling()) for c in right)
    if not found and setting.older:
        older = setting.older[0]
        source = source_text(row, setting.options.triple, Spelling())
        options = replace(setting.options, cpu=older.cpu, features=older.features)
        done = rewrite_module(source, options, setting.tools, "<expression>")
        named = (c for c in older.codes(done.text) if contains(c.lines, row.instruction))
        found.extend((c, Spelling()) for c in named)
    priced = [f for f in found if f[0].cost is not None]
    return min(priced, key=lambda f: f[0].order, default=None)


def _text(answers: list[Answer], *, as_json: bool) -> str:
    if as_json:
        return "".join(f"{a.json()}\n" for a in answers)
    if len(answers) == 1 and not answers[0].row.instruction:
        return _one(answers[0])
    lines = [f"# {'verdict':6} cycles  named   LLVM  instruction      lanes expression"]
    lines += [
        f"{a.verdict:8} {_cycles(a.cost)} {_cycles(a.reference_cost)} {_cycles(a.llvm_cost)}  "
        f"{a.row.instruction:16} {a.row.lanes:4} {a.row.expression}"
        for a in answers
    ]
    failed = (a for a in answers if not a.passed)
    lines += [f"failed: {a.row.instruction} {a.row.expression}: {a.reason}" for a in failed]
    for title, layout in (("", False), ("layout ", True)):
        part = [a for a in answers if a.row.is_layout is layout]
        lines += [f"{len(part)} {title}rows: {_counts(part)}"] if part else []
    return "".join(f"{line}\n" for line in lines)


def _counts(part: list[Answer]) -> str:
    verdicts: tuple[Verdict, ...] = ("named", "cheaper", "equal", "failed")
    counts = ", ".join(f"{sum(a.verdict == v for a in part)} {v}" for v in verdicts)
    return f"{counts}; median {median(a.seconds for a in part):.2f} s"


def _cycles(cost: float | None) -> str:
    return f"{'-':>6}" if cost is None else f"{cost:6.2f}"


def _one(a: Answer) -> str:
    if not a.program:
        return f"{a.reason}\n"
    beside = f"LLVM alone: {_cycles(a.llvm_cost).strip()}"
    last = f"# {_cycles(a.cost).strip()} cycles, {a.proof}; {beside}"
    return "".join(f"{line}\n" for line in (*note(a.program, a.constants), last))
