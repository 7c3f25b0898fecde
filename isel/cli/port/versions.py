"""The versions of a file's functions for the other machine, and the one that is written of each.

The formulas' code is what all else is measured by.  What ``isel opt`` makes of it is cheaper, and
is written where it is proved; SIMDe's code stands in where there is no formula or no proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Final

from frontends.autollvm.bits import without_floats
from frontends.autollvm.bodies import take, take_all, without
from frontends.autollvm.formulas import by_formulas
from frontends.autollvm.functions import Left
from frontends.autollvm.module import Aim
from frontends.autollvm.places import Places
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.budget import budget_of, heat
from frontends.llvm.pipeline.options import Options
from frontends.llvm.refine.assumed import with_defined_loads
from frontends.llvm.refine.options import Options as Comparison
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools, rewrite
from isel.cli.failures import tell_failures
from isel.cli.limits import PORT_STEPS
from isel.cli.port.compile import Port, simde_module, source_module
from isel.errors import BadModule
from isel.model.verdict import Proved
from isel.progress import Tell, silent
from isel.spec.target import Target
from semantics import target_named
from semantics.structures import plain_calls, plain_structures

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
    tell: Tell = silent
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
        self.text = self._rewrite(formulas)
        self.answers = self.prove(self.text)
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
        port = self.port
        aim = Aim(port.triple, port.cpu, port.features)
        text, missing = by_formulas(plain_calls(self.first), *self._isas, aim)
        for name, why in self.refused.items():
            if _NOT_PORTED[" asm "] in why:
                self.outside[name] = why
        for name, left in missing.items():
            if name not in self.outside:
                text = self._stand_in(text, name, left)
        text, callers = without(text, self.outside)
        for name, callee in callers.items():
            self.outside[name] = f"it needs {callee}, which is left out"
        return text

    def _stand_in(self, text: str, name: str, left: Left) -> str:
        """Return a text with SIMDe's function where the formulas' has a call that is of no use."""
        done = take(text, self._simde, name)
        if done is None:
            place = self._places.of(name, f"@{left.callee}(")
            why = f"{place}: '{left.callee}' has no code for {self.port.target}: {left.why}"
            self.outside[name] = why
        return done or text

    def _rewrite(self, text: str) -> str:
        """Return what ``isel opt`` makes of a text, the hottest functions first, so many as a file
        has steps for.
        """
        functions = sorted(parse_module(text).functions, key=heat, reverse=True)
        spent = list(accumulate(budget_of(f, 1).given for f in functions))
        names = [f.name for f in functions]
        count = sum(steps <= PORT_STEPS for steps in spent)
        if count < len(names):
            rest = ", ".join(f"@{name}" for name in names[count:])
            self.said.append(f"the file's steps were spent on hotter code, not searched: {rest}")
        port = self.port
        only = "|".join(map(re.escape, names[:count])) or "none"
        options = Options(port.triple, port.cpu, port.features, strict=False, only_function=only)
        tell, cache = self.tell, self.cache
        with LlvmWorker() as worker, make_tools(worker, options, cache, tell=tell) as tools:
            done = rewrite(text, options, tools, port.path)
        tell_failures(done.report, self.words)
        return done.text

    def _fall_back(self, formulas: str, lost: frozenset[str]) -> None:
        """Write the formulas' code of functions of which this is not proved, or SIMDe's where that
        is proved, unlike the formulas'.
        """
        text = take_all(self.text, formulas, lost)
        answers = self.prove(text, lost)
        still = self._open(answers)
        other = take_all(text, self._simde, still) if still else text
        gained = still - self._open(self.prove(other, still)) if other != text else frozenset()
        if gained:
            text = take_all(text, self._simde, gained)
            answers = self.prove(text, lost)
        fresh = {x.name: x for x in answers if x.name in lost}
        self.text, self.answers = text, [fresh.get(x.name, x) for x in self.answers]

    @property
    def _isas(self) -> tuple[Target, Target]:
        return target_named(self.port.source), target_named(self.port.target)

    @cached_property
    def _places(self) -> Places:
        text = source_module(self.port, "-gline-tables-only")
        return Places(text, self.port.path, self.port.folder)

    @cached_property
    def _simde(self) -> str:
        """The file by SIMDe's headers, empty where these do not compile."""
        try:
            return binding.normalise(without_floats(simde_module(self.port)), self.port.path)
        except BadModule as problem:
            self.said.append(f"no code by SIMDe: {problem.what}")
            return ""

    def prove(self, text: str, names: frozenset[str] | None = None) -> list[Answer]:
        """Compare a text with the source: what is loaded is defined.  With ``names`` only these
        functions are, and those are there that the text lacks, on which a proof may not rest.
        """
        first = with_defined_loads(plain_structures(self.first, "@"))
        a, b = parse_module(first), parse_module(plain_structures(text))
        if names is not None:
            wanted = names | self.outside.keys()
            a, b = (
                replace(m, functions=tuple(f for f in m.functions if f.name in wanted))
                for m in (a, b)
            )
        self.tell("functions proved", 0, len(a.functions))
        options = Comparison(isas=self._isas, defined_memory=True)
        return verify_report(a, b, self._isas[0], options)

    def _open(self, answers: Iterable[Answer]) -> frozenset[str]:
        """Return the functions that are written and not proved."""
        unproved = {x.name for x in answers if not isinstance(x.verdict, Proved)}
        return frozenset(unproved - self.outside.keys())
