"""The versions of a file's functions for the other machine, and the one that is written of each.

The formulas' code is what all else is measured by.  What ``isel opt`` makes of it is cheaper, and
is written where it is proved; SIMDe's code stands in where there is no formula or no proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from frontends.autollvm.bits import without_floats
from frontends.autollvm.functions import Left
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.opt.budget import budget_of, heat
from frontends.llvm.opt.options import Options
from frontends.llvm.refine.assumed import with_defined_loads
from frontends.llvm.refine.options import Options as Comparison
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.identity import contents, mention
from frontends.llvm.text.isolate import declare
from frontends.llvm.text.parse import parse_module
from isel.cli.failures import tell_failures
from isel.cli.limits import PORT_STEPS
from isel.cli.port.bodies import take
from isel.cli.port.compile import Port, simde_module
from isel.cli.port.formulas import by_formulas
from isel.cli.port.places import Places
from isel.cli.tools import make_tools, rewrite
from isel.errors import BadModule
from isel.model.verdict import Proved
from semantics import target_named

# what is not ported, by a word of its instruction
_NOT_PORTED: Final = {" asm ": "inline assembly", "indirectbr ": "a computed goto"}


@dataclass
class Versions:
    """A file on its way: ``first`` is its module for its own machine, ``text`` what is to be
    written, with a line a function.

    ``refused`` are functions with what no port has, ``outside`` those that are left out, each with
    the reason; ``said`` are remarks on the whole file.
    """

    port: Port
    first: str
    words: Sequence[str]
    cache: str | None
    text: str = ""
    answers: list[Answer] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    outside: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Make the versions and decide; raises :class:`isel.errors.IselError` where the file has
        none.
        """
        self._refuse()
        formulas = self._by_formulas()
        self.text = self._optimised(formulas)
        self.answers = self._prove(self.text)
        lost = self._open(self.answers)
        if lost:
            self._fall_back(formulas, lost)

    def _refuse(self) -> None:
        module = parse_module(self.first)
        for f in module.functions:
            lines = module.lines[f.first : f.last]
            word = next((w for w in _NOT_PORTED if any(w in line for line in lines)), "")
            if word:
                place = self._places.of(f.name, word)
                self.refused[f.name] = f"{place}: {_NOT_PORTED[word]} is not ported"

    def _by_formulas(self) -> str:
        """Return the formulas' text, with SIMDe's functions where it has none, without those that
        neither has, and without those that call one of these that nobody else can define.
        """
        text, missing = by_formulas(self.first, self.port)
        asm = {n: why for n, why in self.refused.items() if _NOT_PORTED[" asm "] in why}
        self.outside.update(asm)
        for name, left in missing.items():
            if name not in asm:
                text = self._stand_in(text, name, left)
        module = parse_module(text)
        said = contents(module)
        local = {f.name for f in module.functions if {"internal", "private"} & set(f.returns)}
        callers = {f.name: mention(f, said) for f in module.functions}
        gone = set[str]()
        while new := set(self.outside) - gone:
            gone |= new
            for name, used in callers.items():
                lost = next((n for n in sorted(gone & local) if f"@{n}" in used), "")
                if lost and name not in gone:
                    self.outside[name] = f"it calls @{lost}, which is left out"
        return binding.normalise(declare(text, gone)) if gone else text

    def _stand_in(self, text: str, name: str, left: Left) -> str:
        """Return a text with SIMDe's function where the formulas' has a call that is of no use."""
        done = take(text, self._simde, name) if self._simde else None
        if done is None:
            place = self._places.of(name, f"@{left.callee}(")
            why = f"{place}: '{left.callee}' has no code for {self._other}: {left.why}"
            self.outside[name] = why
        return done or text

    def _optimised(self, text: str) -> str:
        """Return what ``isel opt`` makes of a text, the hottest functions first, so many as a file
        has steps for.
        """
        functions = sorted(parse_module(text).functions, key=heat, reverse=True)
        names, steps = list[str](), 0
        for f in functions:
            steps += budget_of(f, 1).given
            if steps > PORT_STEPS:
                break
            names.append(f.name)
        if len(names) < len(functions):
            rest = ", ".join(f"@{f.name}" for f in functions[len(names) :])
            self.said.append(f"the file's steps were spent on hotter code, not searched: {rest}")
        port, only = self.port, "|".join(map(re.escape, names))
        options = Options(
            triple=port.triple,
            cpu=port.cpu,
            features=port.features,
            strict=False,
            only_function=only,
        )
        if not names:
            return text
        with LlvmWorker() as worker, make_tools(worker, options, self.cache) as tools:
            done = rewrite(text, options, tools, port.path)
        tell_failures(done.report, self.words)
        return done.text

    def _fall_back(self, formulas: str, lost: Iterable[str]) -> None:
        """Write what is proved of the functions of which this is not: the formulas' code, or
        SIMDe's.
        """
        before = self._open(self._prove(formulas)) if self.text != formulas else frozenset(lost)
        text = self.text
        for name in lost:
            text = take(text, formulas, name) or text
        if before and self._simde:
            tried = text
            for name in before:
                tried = take(tried, self._simde, name) or tried
            found = self._open(self._prove(tried))
            for name in before - found:
                text = take(text, self._simde, name) or text
        if text != self.text:
            answers = self._prove(text)
            if self._open(answers) <= self._open(self.answers):
                self.text, self.answers = text, answers

    @property
    def _other(self) -> str:
        return self.port.triple.partition("-")[0]

    @cached_property
    def _places(self) -> Places:
        return Places(self.port)

    @cached_property
    def _simde(self) -> str:
        """The file by SIMDe's headers, empty where these do not compile."""
        try:
            return binding.normalise(without_floats(simde_module(self.port)), self.port.path)
        except BadModule as problem:
            self.said.append(f"no code by SIMDe: {problem.what}")
            return ""

    def _prove(self, text: str) -> list[Answer]:
        """Compare a text with the source: what is loaded is defined."""
        a, b = parse_module(with_defined_loads(self.first)), parse_module(text)
        isas = (target_named(self.port.source), target_named(self.port.target))
        options = Comparison(isas=isas, defined_memory=True)
        return [x for x in verify_report(a, b, isas[0], options) if x.name]

    def _open(self, answers: Iterable[Answer]) -> frozenset[str]:
        """Return the functions that are written and not proved."""
        return frozenset(
            x.name
            for x in answers
            if not isinstance(x.verdict, Proved) and x.name not in self.outside
        )
