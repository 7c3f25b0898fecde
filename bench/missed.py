"""Rules whose right side costs less than what LLVM makes of the left, ranked: ``docs/missed.md``,
``python -m bench.missed``.

Both sides are vectors of 128 bits.  Of each the cheaper of two is taken: LLVM's code generation as
it stands, and after LLVM's -O3; so what is saved is what LLVM would save if it knew the rule.  Left
sides are those that people write: no operation in them is of a width that no register has.  With
``--issues DIR`` each has a file for LLVM's maintainers, with links that open a page in a state that
is in the link (Compiler Explorer's ``GET /clientstate/<base64>``); nothing is fetched.  ``--from``
names modules of real code: in how many lanes of their windows each rule applies; the page is then
ordered by what would be saved there.
"""

from __future__ import annotations

import argparse
import base64
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import llvm_version
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.machine.gate import Gate
from frontends.llvm.splicing.emit import EmissionError
from isel.cli.autollvm import triple_of as llvm_triple
from isel.cli.learning import library_for, window_lanes
from isel.cli.pairs import NATURAL, rule_pair
from isel.egraph.graph import Contradiction, Graph, Spent
from isel.egraph.saturate import saturate, start
from isel.errors import IselError, UsageProblem
from isel.ir import expr
from isel.ir.expr import Expr, postorder
from isel.json_text import to_json
from isel.rules.proofs import proofs
from isel.rules.prove import claim
from isel.rules.record import every_rule
from isel.rules.syntax import Rule, Sizes, leaves
from isel.synth.lift import Lifter, lifter_of
from isel.synth.limits import MOST_LIFTED_LEAVES
from semantics import target_named, triple_of

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "missed.md"
CPUS: Final = (("x86", "znver4"), ("arm", "neoverse-v1"))
MOST: Final = 50
BITS: Final = 128
_WIDTHS: Final = (8, 16, 32, 64)
_ORDER: Final = "first what would save most there: that, times what is saved."
_LEAST: Final = 0.01  # cycles
_EXPLORER: Final = "https://godbolt.org/clientstate/"
_ALIVE: Final = "https://alive2.llvm.org/ce/clientstate/"


@dataclass(frozen=True, slots=True)
class Cost:
    """What LLVM makes of a side: cycles and instructions."""

    cycles: float
    instructions: tuple[str, ...]


@dataclass(frozen=True)
class Missed:
    """A rule at widths on a CPU, and what LLVM makes of both sides."""

    rule: Rule
    sizes: Sizes
    cpu: str
    triple: str
    text: str
    left: Cost
    right: Cost

    @property
    def saved(self) -> float:
        """Cycles."""
        return self.left.cycles - self.right.cycles

    @property
    def where(self) -> str:
        """The widths in words."""
        return ", ".join(f"{n} = {v}" for n, v in zip(self.rule.sizes, self.sizes, strict=True))

    @cached_property
    def key(self) -> tuple[float, float, str, str]:
        """What orders rows: the most saved first, also for what it cost."""
        return -round(self.saved, 2), self.right.cycles, self.rule.name, self.cpu


class Compiler:
    """LLVM's code for one CPU."""

    def __init__(self, worker: LlvmWorker, target: str, cpu: str) -> None:
        self.cpu, self.triple = cpu, triple_of(target_named(target))
        self._worker = worker
        self._gate = Gate(worker, target_named(target), cpu, "", self.triple)

    def costs(self, text: str) -> tuple[Cost, Cost] | None:
        """Return what LLVM makes of both sides of a pair; None where something has no price."""
        made = self._worker.optimise(text, triple=self.triple, cpu=self.cpu, features="")
        texts = [text, made] if isinstance(made, str) else [text]
        left, right = (self._cheapest(texts, name) for name in ("src", "tgt"))
        return (left, right) if left and right else None

    def _cheapest(self, texts: Sequence[str], name: str) -> Cost | None:
        found = [
            Cost(cycles, tuple(x for x, _ in self._gate.work(text, (name,))[0].instructions))
            for text in texts
            if (cycles := self._gate.cost(text, name)) is not None
        ]
        return min(found, key=lambda c: c.cycles, default=None)


def plain_sizes(rule: Rule) -> Iterator[Sizes]:
    """Yield the first widths at which a rule was proved, of each tuple of widths of its terms,
    where these are one width or neighbours and no operation of its left side has another.
    """
    seen = set()
    for sizes in sorted(proofs().known(rule)):
        widths = widths_of(rule, sizes)
        if widths and min(widths) in _WIDTHS and max(widths) <= min(BITS // 2, 2 * min(widths)):
            found = None if widths in seen else claim(rule, sizes)
            wide = found is not None and found.right.width in _WIDTHS
            if found and wide and all(x.width in NATURAL for x in postorder(found.lefts[:1])):
                seen.add(widths)
                yield sizes


def widths_of(rule: Rule, sizes: Sizes) -> tuple[int, ...]:
    """Return the widths of the terms that a rule is of."""
    named = dict(zip(rule.sizes, sizes, strict=True))
    return tuple(x.width.value(named) for x in leaves(rule.left) if x.width is not None)


def missed(rules: Sequence[Rule], compilers: Sequence[Compiler]) -> Iterator[Missed]:
    """Yield each rule at the widths and on the CPU where it saves most."""
    for rule in rules:
        found = [m for sizes in plain_sizes(rule) for m in _at(rule, sizes, compilers)]
        if found:
            yield min(found, key=lambda m: m.key)


def _at(rule: Rule, sizes: Sizes, compilers: Sequence[Compiler]) -> Iterator[Missed]:
    for c in compilers:
        try:
            text = rule_pair(
                rule, sizes, lanes=BITS // max(widths_of(rule, sizes)), triple=c.triple
            )
            costs = c.costs(text)
        except (EmissionError, IselError):
            return
        if costs is not None and costs[0].cycles - costs[1].cycles >= _LEAST:
            yield Missed(rule, sizes, c.cpu, c.triple, text, *costs)


@dataclass(slots=True)
class Met:
    """In how many lanes of the windows of some modules each rule applied."""

    modules: int = 0
    lanes: int = 0
    by_rule: Counter[str] = field(default_factory=Counter[str])

    def __str__(self) -> str:
        return f"{self.lanes:,} lanes of {self.modules} module{'s' * (self.modules > 1)}"

    def add(self, text: str, file: str) -> None:
        """Count the lanes of a module, each as often as it is there."""
        triple = llvm_triple(text)
        library = next((library_for(*x) for x in CPUS if target_named(x[0]).handles(triple)), None)
        if library is None:
            raise UsageProblem(f"{file}: a module for '{triple}', which no CPU of the page is")
        lanes = Counter(window_lanes(text, file, library.machine))
        self.modules += 1
        self.lanes += lanes.total()
        for e, times in lanes.items():
            if len(expr.leaves(e)) <= MOST_LIFTED_LEAVES:
                self.by_rule.update(dict.fromkeys(_rules_for(e, lifter_of(library)), times))


def _rules_for(e: Expr, lifter: Lifter) -> Sequence[str]:
    used = proofs().used
    before = used.copy()
    g = Graph()
    with suppress(Spent, Contradiction):
        start(g, (e,), ())
        saturate(g, tables=lifter.tables)
    return sorted(used - before)


def page(rows: Sequence[Missed], tried: int, met: Met) -> str:
    """Return the page."""
    cpus = ", ".join(cpu for _, cpu in CPUS)
    head, rule = (" lanes |", " ---: |") if met.modules else ("", "")
    lines = [
        "# What LLVM misses",
        "",
        f"Of {tried} proved rules that are no definitions, {len(rows)} have a right side",
        f"of which LLVM {llvm_version()} makes cheaper code, by {_LEAST} cycles or more, on one of",
        f"{cpus}: cycles of the model for vectors of {BITS} bits,",
        "the cheaper of code generation with and without -O3, widths and CPU where a rule saves",
        f"most. The first {MOST}, by `make missed`; `python -m bench.missed --issues DIR` writes",
        "a file for each, with links to Compiler Explorer and Alive2.",
        *([f"'lanes': of {met}, those in which a rule applies;", _ORDER] if met.modules else []),
        "",
        f"| | rule | widths | CPU | left | right | saved | instructions |{head}",
        f"| ---: | --- | --- | --- | ---: | ---: | ---: | --- |{rule}",
    ]
    for k, m in enumerate(rows[:MOST], 1):
        count = f"{len(m.left.instructions)} to {len(m.right.instructions)}"
        cells = [f"{m.left.cycles:.2f}", f"{m.right.cycles:.2f}", f"{m.saved:.2f}", count]
        cells += [str(met.by_rule[m.rule.name])] if met.modules else []
        lines.append(f"| {k} | `{m.rule.name}` | {m.where} | {m.cpu} | {' | '.join(cells)} |")
    lines += ["", "The rules:", ""]
    lines += [f"- `{m.rule.text.splitlines()[0]}`" for m in rows[:MOST]]
    return "\n".join(lines) + "\n"


def issue(m: Missed, met: Met) -> str:
    """Return what is told LLVM's maintainers."""
    scalar = rule_pair(m.rule, m.sizes, triple="")
    explorer = [("opttrunk", "-passes=default<O3> -S"), ("llctrunk", f"-O3 -mcpu={m.cpu}")]
    rows = [
        f"| {name} | {c.cycles:.2f} | {' '.join(c.instructions)} |"
        for name, c in (("@src", m.left), ("@tgt", m.right))
    ]
    return "\n".join(
        [
            f"# {m.rule.name}: {m.left.cycles:.2f} cycles that could be {m.right.cycles:.2f}",
            "",
            f"LLVM {llvm_version()}, `-mtriple={m.triple} -mcpu={m.cpu}`, at {m.where}:",
            "",
            f"    {m.rule.text.splitlines()[0]}",
            "",
            "```llvm",
            m.text.rstrip(),
            "```",
            "",
            *(
                [f"The pattern is in {met.by_rule[m.rule.name]} of {met}.", ""]
                if met.modules
                else []
            ),
            "| | cycles | instructions |",
            "| --- | ---: | --- |",
            *rows,
            "",
            f"Proved for lanes by `isel rules prove {m.rule.name}` and by `isel verify` on:",
            "",
            "```llvm",
            scalar.rstrip(),
            "```",
            "",
            f"[Compiler Explorer]({link(_EXPLORER, m.text, explorer)}),",
            f"[Alive2]({link(_ALIVE, scalar, [('alive', '')])})",
            "",
        ]
    )


def link(page_of: str, source: str, compilers: Sequence[tuple[str, str]]) -> str:
    """Return the address of a page with a source and what compiles it."""
    session = {
        "id": 1,
        "language": "llvm",
        "source": source,
        "compilers": [{"id": name, "options": options} for name, options in compilers],
    }
    state = to_json({"sessions": [session]}, separators=(",", ":"))
    return page_of + base64.urlsafe_b64encode(state.encode()).decode()


def main(argv: Sequence[str] | None = None) -> int:
    """Write the page, and files where they are asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.missed", description=__doc__)
    parser.add_argument("--issues", type=Path, help="a folder for a file of each")
    parser.add_argument("-o", dest="output", type=Path, default=PAGE, help="(docs/missed.md)")
    parser.add_argument("--from", dest="modules", nargs="*", type=Path, default=[], help="*.ll")
    parser.add_argument("names", metavar="RULE", nargs="*", help="only these rules")
    args = parser.parse_args(argv)
    rules = [r for r in every_rule() if not r.defines]
    rules = [r for r in rules if not args.names or r.name in args.names]
    with LlvmWorker() as worker:
        compilers = [Compiler(worker, target, cpu) for target, cpu in CPUS]
        rows = list(missed(rules, compilers))
    met = Met()
    for path in args.modules:
        met.add(path.read_text(encoding="utf-8"), str(path))
    rows.sort(key=lambda m: (-met.by_rule[m.rule.name] * m.saved, m.key))
    args.output.write_text(page(rows, len(rules), met), encoding="utf-8")
    if args.issues:
        args.issues.mkdir(parents=True, exist_ok=True)
        for k, m in enumerate(rows[:MOST], 1):
            path = args.issues / f"{k:02}-{m.rule.name}.md"
            path.write_text(issue(m, met), encoding="utf-8")
    sys.stdout.write(f"{len(rows)} of {len(rules)} rules, {args.output}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
