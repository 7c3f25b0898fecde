"""Obligations to verdicts: identity first, then one query per distinct lane up to renaming."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np

from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.interp.lanes import NumpyLanes
from isel.ir.build import band, ne
from isel.ir.canon import canonical, instantiate
from isel.ir.expr import Expr, const, leaves
from isel.ir.ops import Lanes, unsigned_dtype
from isel.smt.portfolio import default_portfolio
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat, smtlib
from isel.synth.program import LaneValues
from isel.synth.window import Window
from isel.verify.verdict import Certificate, Proved, Refuted, Unknown, Verdict

IDENTITY: Final = "identity"
_SAMPLES: Final = 96


@dataclass(frozen=True, slots=True)
class Obligation:
    """Where the one-bit ``premise`` is 1, ``left`` equals ``right``; ``where`` names the lane for the reader."""

    premise: Expr
    left: Expr
    right: Expr
    where: str = ""

    def negation(self) -> Expr:
        """Return the one-bit term that is 1 exactly where the obligation fails."""
        return band(self.premise, ne(self.left, self.right))


class Checker(Protocol):
    """Anything that answers queries within its own limits."""

    def check(self, query: Query) -> Answer:
        """Answer a query or give up."""
        ...


Known: TypeAlias = dict[Expr, str]


def prove(
    obligations: Sequence[Obligation],
    facts: Sequence[Expr] = (),
    effort: int = 1,
    checker: Checker | None = None,
    known: Known | None = None,
) -> Verdict:
    """Prove that every obligation holds for all values of the leaves that satisfy ``facts``.

    The first obligation that fails decides; otherwise the first that stays open.  ``known`` remembers
    canonical queries without a model, and who answered, from one call to the next.
    """
    solver = checker or default_portfolio(effort)
    hashes: dict[str, str] = {}
    seen: set[Expr] = set()
    known = {} if known is None else known
    open_reason = ""
    settled = _settled(facts)
    for o in obligations:
        failing = instantiate(o.negation(), settled)
        if failing.is_const and failing.value == 0:
            hashes.setdefault(IDENTITY, IDENTITY)
            continue
        whole = band(failing, _relevant(failing, facts))
        key, holes = canonical(whole)
        if key in seen:
            continue
        seen.add(key)
        if key in known:
            hashes[query_hash(key)] = known[key]
            continue
        model = sample_model(key)
        answer = Sat("samples", model) if model is not None else solver.check(Query((key,)))
        match answer:
            case Unsat(name):
                hashes[query_hash(key)] = known[key] = name
            case Sat(_, found):
                values = {x: found.get(k, 0) for x, k in zip(holes, leaves(key), strict=True)}
                if not holds(whole, values):
                    open_reason = open_reason or "a solver's counterexample does not satisfy the query"
                    continue
                return Refuted(values, o.where)
            case GaveUp(reason):
                open_reason = open_reason or (f"{o.where}: {reason}" if o.where else reason)
    if open_reason:
        return Unknown(open_reason)
    if not hashes:
        hashes[IDENTITY] = IDENTITY
    return Proved(Certificate(tuple(hashes), tuple(hashes.values())))


def query_hash(failing: Expr) -> str:
    """Return the SHA-256 of the query's SMT-LIB text."""
    return hashlib.sha256(smtlib(Query((failing,))).encode()).hexdigest()


def holds(bit: Expr, values: dict[Expr, int]) -> bool:
    """Tell whether a one-bit term is 1 under an assignment of its leaves."""
    env = {x: values.get(x, 0) for x in leaves(bit)}
    return evaluate_all([bit], env, Integer())[bit] == 1


def _settled(facts: Sequence[Expr]) -> dict[Expr, Expr]:
    """Return the sub-terms that the facts decide, and their values."""
    found: dict[Expr, Expr] = {}
    for f in facts:
        if f.op == "not":
            found[f.args[0]] = const(0, 1)
        elif not f.is_const:
            found[f] = const(1, 1)
    return found


def _relevant(failing: Expr, facts: Sequence[Expr]) -> Expr:
    """Return the conjunction of the facts that share leaves with the query, directly or through each other."""
    reached = set(leaves(failing))
    todo = list(facts)
    result = const(1, 1)
    again = True
    while again:
        again = False
        for f in list(todo):
            mine = leaves(f)
            if reached.intersection(mine):
                reached.update(mine)
                result = band(result, f)
                todo.remove(f)
                again = True
    return result


def sample_model(failing: Expr) -> dict[Expr, int] | None:
    """Look for an assignment that makes a one-bit term 1 among seeded random, corner and sparse values."""
    holes = leaves(failing)
    if not holes:
        return {} if failing.is_const and failing.value else None
    rng = np.random.default_rng(len(holes))
    env = {x: _column(rng, x.width) for x in holes}
    hits = np.nonzero(evaluate_all([failing], env, NumpyLanes())[failing])[0]
    if not len(hits):
        return None
    return {x: int(v[hits[0]]) for x, v in env.items()}


def _column(rng: np.random.Generator, width: int) -> Lanes:
    """Return samples: first rows where every leaf has the same corner value and bits are 0 or random, then mixed ones."""
    w = min(width, 64)
    top = np.uint64((1 << w) - 1)
    raw = rng.integers(0, 1 << 63, size=_SAMPLES, dtype=np.uint64) * np.uint64(2) + rng.integers(0, 2, size=_SAMPLES, dtype=np.uint64)
    corners = np.array([0, 1, (1 << w) - 1, 1 << (w - 1), (1 << (w - 1)) - 1, 2 % (1 << w)], dtype=np.uint64)
    kind = rng.random(_SAMPLES)
    values = np.where(kind < 0.3, corners[rng.integers(0, len(corners), _SAMPLES)], raw)
    values = np.where(kind > 0.8, raw >> np.uint64(64 - (w + 1) // 2), values) & top
    n = len(corners)
    values[:n] = corners if w > 1 else 0
    values[n : 2 * n] = corners if w > 1 else values[n : 2 * n]
    return values.astype(object) if width > 64 else values.astype(unsigned_dtype(width))


def prove_window(window: Window, outputs: Sequence[LaneValues], effort: int = 1, checker: Checker | None = None) -> Verdict:
    """Prove that ``outputs`` (a value a lane, None where undefined) refine the window's roots for concrete leaves."""
    obligations: list[Obligation] = []
    for k, (root, lanes) in enumerate(zip(window.roots, outputs, strict=True)):
        if len(lanes) != len(root.lanes):
            return Unknown(f"root {k} has {len(root.lanes)} lanes, the program gives {len(lanes)}")
        for i, (wanted, defined, given) in enumerate(zip(root.lanes, root.defined, lanes, strict=True)):
            if wanted is None:
                continue
            if given is None:
                return Unknown(f"root {k} lane {i} is undefined in the program")
            obligations.append(Obligation(defined, wanted, given, f"root {k} lane {i}"))
    return prove(obligations, window.facts, effort, checker)
