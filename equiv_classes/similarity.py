"""Similarity: forms with one key become one class, its numbers reduced to the parameters that vary
by themselves.

After HYDRIDE (ASPLOS 2024) section 3: numbers become parameters, operands are taken in the order of
their first use, loop nests are completed by loops of one step, and parameters that do not vary, or
that others determine, are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from equiv_classes.dictionary import EquivClass, Formula, Kind, Member
from equiv_classes.folds import steps_of
from equiv_classes.form import Column, Form
from equiv_classes.form import Kind as FormKind
from equiv_classes.names import LETTERS, Namer, class_name, operation_of
from equiv_classes.nests import aligned
from equiv_classes.relations import Reduced, reduce

_WIDTH: Final = re.compile(r"\]:\{(\d+)\}")
_SUM: Final = re.compile(r"[+\-]")
_LANES: Final[Column] = ("lanes", -1, 0, 0)
_RESULT: Final[Column] = ("result", -1, 0, 0)


@dataclass(frozen=True, slots=True)
class Sample:
    """One form of one instruction of a target."""

    target: str
    name: str
    form: Form
    whole: bool  # whether it is for every setting of the immediates


def grouped(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Group forms by key, in the order of first appearance."""
    groups: dict[tuple[object, ...], list[Sample]] = {}
    for s in samples:
        groups.setdefault(family(s.form), []).append(s)
    return list(groups.values())


def family(form: Form) -> tuple[object, ...]:
    """Return what forms have in common that differ in whether an immediate moves where operands
    are read: a product by a lane is the product at an offset.
    """
    kinds, driven = form.key()
    assert isinstance(driven, tuple)
    return kinds, tuple(d for d in driven if not _moves(form, *d))


def _moves(form: Form, column: Column, immediate: int, whole: bool) -> bool:
    """Tell whether the first immediate, as a whole, is added to the place of a hole."""
    what, kind, slot, _ = column
    return what == "base" and whole and immediate == 0 and slot in form.kinds[kind].holes


def classes(groups: Sequence[Sequence[Sample]], namer: Namer) -> tuple[EquivClass, ...]:
    """Reduce each group of forms to a class."""
    return tuple(_class(group, namer) for group in groups)


def core_slots(kind: FormKind) -> int:
    """Return the number of slots of a kind without those of its predication."""
    return kind.slots - (len(kind.labels) - len(kind.holes))


def _order(form: Form) -> dict[Column, None]:
    """Order the columns: widths of leaves, lanes, loops, then the rest."""
    widths = [
        ("base", k, int(n), 0)
        for k, kind in enumerate(form.kinds)
        for n in _WIDTH.findall(kind.skeleton)
    ]
    loops = [c for c in form.columns if c[0] == "radix"]
    return dict.fromkeys((*widths, _RESULT, _LANES, *loops, *form.columns))


def _value(form: Form, c: Column) -> int | None:
    """Return the number of a column; steps of what runs once, loop or fold, may be anything."""
    if _is_step_of_one(form, c):
        return None
    if c in (_LANES, _RESULT):
        return form.lanes if c == _LANES else form.width
    if c[0] == "radix":
        return form.columns.get(c, 1)
    if (
        c[0].startswith("stride")
        and form.columns.get(("radix", c[1], 0, c[3]), 1) == 1
        and ("radix scale", c[1], 0, c[3]) not in form.columns
    ):
        return None
    return form.columns.get(c, 0)


def _is_step_of_one(form: Form, c: Column) -> bool:
    """Tell whether a column is the step of a fold of one term."""
    what, kind, slot, _ = c
    if kind < 0 or what not in ("base", "stride"):
        return False
    count = steps_of(form.kinds[kind].skeleton).get(slot)
    return count is not None and form.columns["base", kind, count, 0] == 1


def _proposed(c: Column, widths: frozenset[Column]) -> str:
    if c in widths:
        return "w"
    return {"lanes": "n", "result": "r", "radix": "c", "stride": "t", "block": "z"}.get(
        c[0], "p" if c[0] == "base" else "q"
    )


def _is_core(form: Form) -> Callable[[Column], bool]:
    """Return what tells the columns of the formula from those of its predication, for forms of
    one key.
    """
    slots = [core_slots(k) for k in form.kinds]
    holes = [len(k.holes) for k in form.kinds]
    return lambda c: (
        c[1] < 0 or c[0] == "radix" or c[2] < (holes if c[0] == "block" else slots)[c[1]]
    )


def _reduced(forms: Sequence[Form]) -> Reduced:
    """Reduce the columns of the formula of some forms of one key."""
    is_core = _is_core(forms[0])
    columns = dict.fromkeys(c for f in forms for c in _order(f) if is_core(c))
    widths = frozenset(
        ("base", k, int(n), 0)
        for k, kind in enumerate(forms[0].kinds)
        for n in _WIDTH.findall(kind.skeleton)
    )
    return reduce(
        {c: tuple(_value(f, c) for f in forms) for c in columns}, lambda c: _proposed(c, widths)
    )


def _class(group: Sequence[Sample], namer: Namer) -> EquivClass:
    forms = aligned([s.form for s in group], lambda some: len(_reduced(some).parameters))
    first = forms[0]
    is_core = _is_core(first)
    reduced = _reduced(forms)
    core = _Writer(
        reduced.expressions,
        max((c[3] + 1 for f in forms for c in f.columns if c[0] == "radix"), default=0),
        {c: (w, whole) for f in forms for c, w, whole in f.driven},
    )
    letters = {name: LETTERS[k] for k, name in enumerate(_core_operands(first))}
    kinds = tuple(core.kind(k, kind, letters) for k, kind in enumerate(first.kinds))
    modes: dict[str, tuple[tuple[str, ...], ...]] = {}
    further: dict[str, tuple[str, ...]] = {}
    values: list[tuple[int, ...]] = [
        tuple(v[i] for v in reduced.parameters.values()) for i in range(len(group))
    ]
    for mode in dict.fromkeys(_mode(f) for f in forms):
        at = [i for i, f in enumerate(forms) if _mode(f) == mode]
        own = dict.fromkeys(c for i in at for c in forms[i].columns if not is_core(c))
        given = {p: tuple(v[i] for i in at) for p, v in reduced.parameters.items()}
        more = reduce(
            {c: tuple(_value(forms[i], c) for i in at) for c in own}, lambda c: "y", given
        )
        writer = _Writer({**reduced.expressions, **more.expressions}, core.depth, core.driven)
        example = forms[at[0]]
        modes[mode] = tuple(
            writer.stage(k, kind, _letters(example)) for k, kind in enumerate(example.kinds)
        )
        further[mode] = tuple(more.parameters)
        for row, i in enumerate(at):
            values[i] += tuple(v[row] for v in more.parameters.values())
    members: list[Member] = []
    for s, f, numbers in zip(group, forms, values, strict=True):
        operands = {v: k for k, v in _letters(f).items()}
        settings = () if s.whole else f.settings
        members.append(Member(s.target, s.name, _mode(f), operands, numbers, settings))
    formula = Formula(reduced.expressions[_LANES], reduced.expressions[_RESULT], kinds, modes)
    operation = operation_of([k.skeleton for k in first.kinds])
    name, named = namer.unique(class_name(operation, _gathers(first))), tuple(letters.values())
    parameters = tuple(reduced.parameters)
    return EquivClass(name, named, parameters, further, formula, tuple(members))


def _gathers(form: Form) -> object | None:
    """Return what tells a class from others of its operation, None where it is one kind of lane
    with a hole for each operand.
    """
    kinds, driven = family(form)
    labels = [label for k in form.kinds for label in k.labels[: len(k.holes)]]
    plain = len(form.kinds) == 1 and len(set(labels)) == len(labels) == sum(map(len, labels))
    return None if plain and not driven else (kinds, driven)


def _core_operands(form: Form) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(x for k in form.kinds for label in k.labels[: len(k.holes)] for x in label)
    )


def _letters(form: Form) -> dict[str, str]:
    """Return the letter of each operand: those of the formula, k for a predicate, s for what is
    kept.
    """
    found = {name: LETTERS[k] for k, name in enumerate(_core_operands(form))}
    for kind in form.kinds:
        for label, letter in zip(kind.labels[len(kind.holes) :], "ks", strict=False):
            found.setdefault(label[0], letter)
    return found


def _mode(form: Form) -> str:
    """Return the name of a mode: of all kinds; ``merge+a`` keeps an operand of the formula."""
    letters = _letters(form)
    stages = ([letters[x[0]] for x in k.labels[len(k.holes) + 1 :]] for k in form.kinds)
    kept = ([f"+{x}" for x in stage if x != "s"] for stage in stages)
    names = ["".join((k.mode, *x)) for k, x in zip(form.kinds, kept, strict=True)]
    return names[0] if len(set(names)) == 1 else ",".join(names)


def _element(letters: str, at: str, block: str, found: re.Match[str]) -> str:
    """Write an element of operands; in a fold its offset has a step that follows."""
    return f"{letters}[{at}{found[1]}{block}]"


class _Writer:
    """Writes formulas: every column as its expression."""

    def __init__(
        self,
        expressions: Mapping[object, str],
        depth: int,
        driven: Mapping[Column, tuple[int, bool]],
    ) -> None:
        self.expressions = expressions
        self.depth = depth
        self.driven = driven

    def get(self, c: Column) -> str:
        return self.expressions.get(c, "1" if c[0] == "radix" else "0")

    def kind(self, k: int, kind: FormKind, letters: Mapping[str, str]) -> Kind:
        bounds = ((f"i{d}", self.single(("radix", k, 0, d))) for d in range(self.depth))
        loops = tuple(x for x in bounds if x[1] != "1")
        numbers = [self.slot(k, s) for s in range(core_slots(kind))]
        text = kind.skeleton
        for j, (label, hole) in enumerate(zip(kind.labels, kind.holes, strict=False)):
            block = f"@{self.get(('block', k, j, 0))}" if len(label) > 1 else ""
            names = "|".join(letters[x] for x in label)
            element = partial(_element, names, numbers[hole], block)
            text = re.sub(rf"<{j}>\[\{{{hole}\}}([^\]]*)\]", element, text)
        text = re.sub(r"j\*\{(\d+)\}", lambda m: _times("j", numbers[int(m[1])]), text)
        return Kind(
            loops, self.slot(k, -1), re.sub(r"\{(\d+)\}", lambda m: numbers[int(m[1])], text)
        )

    def stage(self, k: int, kind: FormKind, letters: Mapping[str, str]) -> tuple[str, ...]:
        core = core_slots(kind)
        rest = kind.labels[len(kind.holes) :]
        width = self.get(_RESULT)
        return tuple(
            f"{letters[label[0]]}[{self.slot(k, core + j)}]:{'1' if j == 0 else width}"
            for j, label in enumerate(rest)
        )

    def single(self, c: Column) -> str:
        """Write one column, with what an immediate adds to it."""
        return _sum(list(self._terms(c)))

    def slot(self, k: int, slot: int) -> str:
        """Write a slot: its base, and a step for each digit."""
        terms = list(self._terms(("base", k, slot, 0), slot_of=(k, slot)))
        for d in range(self.depth):
            stride = self.single(("stride", k, slot, d))
            if stride != "0" and self.get(("radix", k, 0, d)) != "1":
                terms.append(_times(f"i{d}", stride))
        return _sum(terms)

    def _terms(self, c: Column, slot_of: tuple[int, int] | None = None) -> Iterator[str]:
        what, kind, slot, digit = c
        base = self.get(c)
        if base != "0":
            yield base
        if c in self.driven:
            which, whole = self.driven[c]
            scale = self.get((f"{what} scale", kind, slot, digit))
            if whole:
                if scale != "0":
                    yield _times(f"m{which}", scale)
                return
            low = list(self._terms(("base low", kind, slot, 0)))
            if slot_of is not None:
                steps = ((d, self.get(("stride low", kind, slot, d))) for d in range(self.depth))
                low += [
                    _times(f"i{d}", s)
                    for d, s in steps
                    if s != "0" and self.get(("radix", kind, 0, d)) != "1"
                ]
            yield _times(
                f"bits(m{which},{_sum(low)},{self.get((f'{what} bits', kind, slot, digit))})", scale
            )


def _times(factor: str, text: str) -> str:
    if text == "1":
        return factor
    return f"{factor}*({text})" if _SUM.search(text) or "//" in text else f"{factor}*{text}"


def _sum(terms: list[str]) -> str:
    text = "+".join(terms) or "0"
    return text.replace("+-", "-")
