"""Functions as transforms wrote them: one after the other, with and without rivals, and in several
ways side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from typing import Final, TypeAlias, cast

from frontends.llvm.limits import VARIANTS_MOST
from frontends.llvm.linked import binding
from frontends.llvm.pipeline.layers import Layering, Layers, has_word
from frontends.llvm.pipeline.planned import NOTHING, Planned
from frontends.llvm.report.tried import Place, WindowReport, per_pass, place_of
from frontends.llvm.splicing.write import Edits, compose, edit
from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.site import Change, Several
from frontends.llvm.transform.table import LAST
from isel.errors import IselError
from isel.model.mechanisms import Disabled, enabled

Key: TypeAlias = tuple[object, ...]
_SEVERAL: Final = tuple(row for row in LAST if row.several)


@dataclass(frozen=True, eq=False)
class Variant:
    """A function of a module as transforms wrote it, one after the other: ``module`` has it so,
    ``planned`` is what each of them did, or why it did nothing.  It may be one way to write another
    variant, its ``stem``.
    """

    source: Module
    module: Module
    function: Function
    planned: tuple[Planned, ...]
    stem: Variant | None = None

    @cached_property
    def before(self) -> Function:
        """The function as it was."""
        return self.source.function(self.function.name)

    @property
    def kept(self) -> tuple[Planned, ...]:
        """What changes the function."""
        return tuple(p for p in self.planned if p.kept)

    @property
    def rivals(self) -> set[Entry]:
        """What the function is also tried without."""
        return {p.entry for p in self.kept if p.row.rival}

    @cached_property
    def edits(self) -> Edits:
        """What the lines of the function became."""
        found = NOTHING
        for p in self.kept:
            found = compose(found, p.edits, len(self.before.span))
        return found

    @property
    def key(self) -> Key:
        """What no other variant of a run has, but for the ways to write it."""
        of = self.stem or self
        return self.function.name, tuple(sorted(of.edits.lines.items()))

    @property
    def way(self) -> Planned | None:
        """The way that it is written in, if it is one of several."""
        return None if self.stem is None else self.planned[-1]

    @property
    def origin(self) -> Module:
        """The module with the function that its cost is compared with."""
        return (self.stem or self).module

    def place(self, root: Instr) -> Place:
        """Return where an instruction is in the source; if it is new where that is to which it
        belongs, or else in the last module that has it.
        """
        of, own = self.stem or self, root
        if self.way is not None and self.way.way is not None:
            own = self.way.way.roots.get(root.name) or of.function.view.defs[root.name]
        return self._in_source(place_of(of.module, self.function.name, own), own)

    @cached_property
    def _roots(self) -> dict[str, Instr]:
        return {i.name or i.text.strip(): i for i in self.before.view}

    def _in_source(self, place: Place, root: Instr) -> Place:
        own = self._roots.get(root.name or root.text.strip())
        return place if own is None else place_of(self.source, self.function.name, own)

    def reports(self, windows: Iterable[WindowReport], ledger: Ledger) -> Iterator[WindowReport]:
        """Yield the reports of transforms, of what was taken back with the reason, and of windows,
        with the cycles of the user's passes.
        """
        passes = dict[str, int]()
        lost = ((p, None if p.kept else ledger.why(p.entry)) for p in self.planned)
        for p in (p.leave(why.reason) if why else p for p, why in lost):
            view = p.function.view
            for w, (root, change) in zip(p.reports(), p.subjects(), strict=True):
                before = passes.get(view.blocks[view.places[root.line]].label, 1)
                yield per_pass(replace(w, place=self._in_source(w.place, root)), before)
                if p.kept and isinstance(change, Change):
                    passes.update((x, n * before) for x, n in change.passes.items())
        view = self.function.view
        for w in windows:
            label = view.label(w.place.root) if w.place.root in view.defs else ""
            yield per_pass(w, passes.get(label, 1))

    def cost(self, windows: tuple[float, float] | None) -> tuple[float, float] | None:
        """Return the cycles of the function before the first change and after the last, None where
        none was judged; ``windows`` are those before and after its windows.
        """
        judged = [(p.judgement.before, p.judgement.after) for p in self.kept if p.judgement]
        found: tuple[float, float] | None = None
        for then in (*judged, *([windows] if windows else [])):
            found = then if found is None else _chain(found, then)
        return found


def _chain(first: tuple[float, float], then: tuple[float, float]) -> tuple[float, float]:
    """Return cycles before one change and after a second one, which may count those of longer
    passes.
    """
    scale = first[1] / then[0] if then[0] and first[1] != then[1] else 1.0
    return first[0], round(then[1] * scale, 4)


def variants_of(
    layering: Layering, ledger: Ledger, functions: Sequence[Function]
) -> dict[str, list[Variant]]:
    """Return the variants of functions by name: those without rivals first, then those with few."""
    found: dict[str, dict[Key, Variant]] = {f.name: {} for f in functions}
    for layers in _layers(layering, ledger, frozenset(found)):
        for name in found:
            planned = tuple(p for p in layers.planned if p.function.name == name)
            new = Variant(layers.before, layers.module, layers.module.function(name), planned)
            found[name].setdefault(new.key, new)
    return {name: list(of.values()) for name, of in found.items()}


def _layers(layering: Layering, ledger: Ledger, names: frozenset[str]) -> Iterator[Layers]:
    """Yield modules with some of the rivals, first with none, then with those that alone save
    most, and with all of them in the end.
    """
    whole = layering.apply(ledger, names)
    rows = sorted({p.row.name: p for p in whole.rivals}.values(), key=_share)
    some = (c for n in range(len(rows)) for c in combinations([p.row.name for p in rows], n))
    for kept in islice(some, VARIANTS_MOST - 1):
        left = (p.entry for p in whole.rivals if p.row.name not in kept)
        yield layering.apply(ledger.without(left), names)
    yield whole


def _share(p: Planned) -> float:
    """Return what a function costs with a change alone, of what it cost."""
    j = p.judgement
    return j.after / j.before if j is not None and j.before else 1.0


def ways_of(variant: Variant, register: int, disabled: Disabled) -> Iterator[Variant]:
    """Yield a variant as it is, and in each way to write it for registers of so many bits."""
    yield variant
    module, function = variant.module, variant.function
    for row in _SEVERAL:
        if not (enabled(disabled, row.name) and has_word(module, function, row.word)):
            continue
        ways = cast("Several", row.load()).ways(module, function, register)
        for number, way in enumerate(ways, 1):
            new = Planned(row, module, function, (), way.edits, way, number)
            written = edit(module, {function.name: way.edits})
            try:
                binding.normalise(written)
            except IselError:
                continue
            read = replace(parse_module(written, frozenset((function.name,))), layout=module.layout)
            own = read.function(function.name)
            yield Variant(variant.source, read, own, (*_before(variant), new), variant)


def _before(variant: Variant) -> Iterator[Planned]:
    """Yield what was done before the rows with several ways."""
    return (p for p in variant.planned if p.row not in _SEVERAL)
