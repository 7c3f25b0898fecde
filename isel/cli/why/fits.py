"""Is what an instruction computes somewhere in a lane of a window?

Its holes are filled with values of the lane in every way, which is first held against each value of
the lane on samples; the nearest is proved, or has a counterexample, and then the weakest range of
the inputs is looked for under which it would be proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, product

import numpy as np
import numpy.typing as npt

from isel.cli.limits import WHY_ALMOST, WHY_FILLINGS, WHY_HOLES, WHY_NEAR, WHY_SAMPLES, WHY_VALUES
from isel.interp.evaluate import evaluate_all
from isel.interp.lanes import NumpyLanes
from isel.ir.build import add, all_of, ne, trunc, ult
from isel.ir.canon import instantiate
from isel.ir.expr import Expr, const, leaves, postorder
from isel.ir.ops import Lanes
from isel.model.verdict import Proved, Refuted
from isel.model.window import Window
from isel.spec.instruction import Instruction
from isel.spec.known import Fixed, first_lane, is_masked
from isel.verify.prove import Obligation, prove
from isel.verify.samples import columns
from isel.verify.saturated import steps_of


@dataclass(frozen=True, slots=True)
class Range:
    """The same bound of several inputs, in words, and as a one-bit term for each."""

    words: str
    facts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """What an instruction gives for ``inputs`` is nearest to the ``value`` of a lane: they are
    ``proved`` equal, or differ for the inputs ``model``, and would be equal within ``range``.
    """

    instruction: Instruction
    value: Expr
    given: Expr
    proved: bool
    model: Mapping[Expr, int]
    results: tuple[int, int] = (0, 0)
    range: Range | None = None


@dataclass(frozen=True, slots=True)
class _Lane:
    """A lane: its term, when it is defined, facts about what it reads, and samples of its values
    where these hold.
    """

    term: Expr
    premise: Expr
    facts: tuple[Expr, ...]
    samples: Mapping[Expr, Lanes]
    holds: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Near:
    """What an instruction gives agrees with a value of a lane on a part of the samples."""

    score: float
    instruction: Instruction
    value: Expr
    given: Expr

    @property
    def rank(self) -> tuple[int, float, float]:
        """Ranks the largest of those that almost agree, then the best of the others."""
        size = sum(1 for _ in postorder([self.value]))
        return (1, size, self.score) if self.score >= WHY_ALMOST else (0, self.score, size)


def fit(window: Window, forms: Sequence[Instruction]) -> Fit | None:
    """Return the nearest fit of some instructions in the first lane of a window; None where none is
    near.
    """
    lane = _first(window)
    if lane is None:
        return None
    found = ((i, *x) for i, term in _functions(forms, lane) for x in _nearest(term, lane))
    near = (_Near(score, i, value, given) for i, value, given, score in found if score >= WHY_NEAR)
    best = max(near, key=lambda n: n.rank, default=None)
    return None if best is None else _judge(lane, best.instruction, best.value, best.given)


def _first(window: Window) -> _Lane | None:
    whole = window.in_regions()
    lanes = zip(whole.roots[0].lanes, whole.roots[0].defined, strict=True)
    term, premise = next(((e, d) for e, d in lanes if e is not None), (None, None))
    if term is None or premise is None or not leaves(term):
        return None
    read = set(leaves(term))
    facts = tuple(f for f in whole.facts if set(leaves(f)) <= read)
    holes = leaves(term, premise, *facts)
    samples = evaluate_all([term, premise, *facts], columns(holes, WHY_SAMPLES), NumpyLanes())
    holds = np.all([_rows(samples[e].astype(bool)) for e in (premise, *facts)], axis=0)
    return _Lane(term, premise, facts, samples, holds) if holds.any() else None


def _rows(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return a bit a sample, also of what is the same for all."""
    return np.broadcast_to(bits, (WHY_SAMPLES,))


def _functions(forms: Sequence[Instruction], lane: _Lane) -> Iterator[tuple[Instruction, Expr]]:
    """Yield the distinct lane functions of instructions, immediates of the lane's own constants
    filled in.
    """
    numbers = {e.value for e in postorder([lane.term]) if e.is_const}
    seen: set[Expr] = set()
    for i in (i for i in forms if not is_masked(i)):  # as is its twin with a blend
        for fixed in _immediates(i, numbers):
            term = first_lane(i, fixed)
            if term is not None and term not in seen and len(leaves(term)) <= WHY_HOLES:
                seen.add(term)
                yield i, term


def _immediates(i: Instruction, numbers: set[int]) -> Iterator[Fixed]:
    if not i.immediates:
        yield ()
    elif len(i.immediates) == 1:
        (m,) = i.immediates
        likely = [v for v in m.values if v in numbers] or list(m.values[:1])
        yield from (((m.name, v),) for v in likely[:WHY_VALUES])


def _nearest(term: Expr, lane: _Lane) -> Iterator[tuple[Expr, Expr, float]]:
    """Yield values of a lane with what the function gives for the best filling of its holes, and
    on which part of the samples they agree.
    """
    holes = leaves(term)
    choices = [_fillings(h.width, lane) for h in holes]
    values = _values(term.width, lane)
    known = evaluate_all([*values, *chain(*choices)], lane.samples, NumpyLanes())
    telling = _telling(lane, values, known)
    best: dict[Expr, tuple[float, Expr]] = {}
    for chosen in islice(product(*choices), WHY_FILLINGS):
        given = instantiate(term, dict(zip(holes, chosen, strict=True)))
        found = evaluate_all([given], known, NumpyLanes())[given]
        same = [known[x] for x in chosen if x.width == term.width]
        for value in values if not _is_one_of(found, same) else ():  # it does something
            score = _agreement(found, known[value], telling[value])
            if score > best.get(value, (0.0, given))[0] and not _is_one_of(known[value], same):
                best[value] = score, given
    yield from ((value, given, score) for value, (score, given) in best.items())


def _telling(
    lane: _Lane, values: Sequence[Expr], known: Mapping[Expr, Lanes]
) -> dict[Expr, npt.NDArray[np.bool_]]:
    """Return the samples on which agreement with each value says something."""
    return {v: lane.holds & _rows(known[v] != _commonest(known[v])) for v in values}


def _is_one_of(found: Lanes, others: Sequence[Lanes]) -> bool:
    return any(bool((found == x).all()) for x in others)


def _agreement(found: Lanes, wanted: Lanes, telling: npt.NDArray[np.bool_]) -> float:
    """Return the part of the telling samples on which two values agree."""
    agrees = _rows(found == wanted)[telling]
    return float(np.mean(agrees)) if len(agrees) else 0.0


def _commonest(values: Lanes) -> int:
    """Return the value that most samples have: agreement there says little."""
    found, counts = np.unique(values, return_counts=True)
    return int(found[counts.argmax()])


def _values(width: int, lane: _Lane) -> list[Expr]:
    """Return what a lane computes on its way, the last first, the low bits of what is wider."""
    every = [e for e in postorder([lane.term]) if e.args and e.width >= width]
    return list(dict.fromkeys(trunc(e, width) for e in every[::-1]))[:WHY_VALUES]


def _fillings(width: int, lane: _Lane) -> list[Expr]:
    """Return values of a width that a hole may hold: inputs, constants, then others."""
    every = list(postorder([lane.term]))
    numbers = [trunc(e, width) for e in every if e.is_const and e.width >= width]
    fitting = [e for e in every if not e.is_const and e.width == width]
    inputs = [e for e in fitting if not e.args]
    return list(dict.fromkeys((*inputs, *numbers, *fitting[::-1])))[:WHY_VALUES]


def _judge(lane: _Lane, i: Instruction, value: Expr, given: Expr) -> Fit:
    obligation = Obligation(lane.premise, value, given)
    verdict = prove([obligation], lane.facts, steps=steps_of)
    if isinstance(verdict, Proved):
        return Fit(i, value, given, True, {})
    model = _simplest(lane, value, given)
    if model is None and isinstance(verdict, Refuted):
        model = dict(verdict.model)
    if model is None:
        return Fit(i, value, given, False, {})
    read = leaves(value, given)
    model = {x: model.get(x, 0) for x in read}
    env = {x: NumpyLanes().const(v, x.width) for x, v in model.items()}
    both = evaluate_all([value, given], env, NumpyLanes())
    results = (int(both[value].flat[0]), int(both[given].flat[0]))
    return Fit(i, value, given, False, model, results, _range(lane, obligation))


def _simplest(lane: _Lane, value: Expr, given: Expr) -> dict[Expr, int] | None:
    """Return the sample of the smallest numbers for which two values differ."""
    both = evaluate_all([value, given], lane.samples, NumpyLanes())
    hits = (_rows(both[value] != both[given]) & lane.holds).nonzero()[0]
    if not len(hits):
        return None
    read = leaves(value, given)
    rows = [{x: int(lane.samples[x][k]) for x in read} for k in hits]
    return min(rows, key=lambda row: (sum(row.values()), *row.values()))


def _range(lane: _Lane, obligation: Obligation) -> Range | None:
    """Return the widest range of the inputs under which an obligation is proved."""
    read = leaves(obligation.left, obligation.right)
    for words, bound in _bounds(min((x.width for x in read), default=0)):
        facts = tuple(bound(x) for x in read)
        if not _fails(lane, obligation, facts) and isinstance(
            prove([obligation], (*lane.facts, *facts), steps=steps_of), Proved
        ):
            return Range(words, facts)
    return None


def _fails(lane: _Lane, obligation: Obligation, facts: Sequence[Expr]) -> bool:
    """Tell whether an obligation fails on some sample where facts hold."""
    inside, failing = all_of(*facts), obligation.negation()
    found = evaluate_all([inside, failing], lane.samples, NumpyLanes())
    return bool(((found[inside] & found[failing]).astype(bool) & lane.holds).any())


def _bounds(width: int) -> Iterator[tuple[str, Callable[[Expr], Expr]]]:
    """Yield ranges of numbers of ``width`` bits and more, the widest first, as words and a function
    from an input to a one-bit term.
    """
    if width > 1:
        yield f"not -2^{width - 1}", lambda x: ne(x, const(1 << x.width - 1, x.width))
        yield "not 0", lambda x: ne(x, const(0, x.width))
    for k in range(width - 1, width // 2 - 1, -1):
        yield f"below 2^{k}", partial(_is_below, k)
        yield f"from -2^{k - 1} to 2^{k - 1} - 1", partial(_is_between, k)


def _is_below(k: int, x: Expr) -> Expr:
    return ult(x, const(1 << k, x.width))


def _is_between(k: int, x: Expr) -> Expr:
    half = const(1 << k - 1, x.width)
    return ult(add(x, half), add(half, half))
