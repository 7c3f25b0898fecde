"""The only module that imports bitwuzla."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import bitwuzla as bz

from isel import interrupts
from isel.ir.expr import Expr, postorder
from isel.ir.ops import OPS, Attr, Op
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat, in_primitives

_K: Final = bz.Kind
_KINDS: Final = {
    "bvadd": _K.BV_ADD,
    "bvsub": _K.BV_SUB,
    "bvmul": _K.BV_MUL,
    "bvudiv": _K.BV_UDIV,
    "bvurem": _K.BV_UREM,
    "bvsdiv": _K.BV_SDIV,
    "bvsrem": _K.BV_SREM,
    "bvand": _K.BV_AND,
    "bvor": _K.BV_OR,
    "bvxor": _K.BV_XOR,
    "bvnot": _K.BV_NOT,
    "bvneg": _K.BV_NEG,
    "bvshl": _K.BV_SHL,
    "bvlshr": _K.BV_SHR,
    "bvashr": _K.BV_ASHR,
    "=": _K.EQUAL,
    "bvult": _K.BV_ULT,
    "bvule": _K.BV_ULE,
    "bvslt": _K.BV_SLT,
    "bvsle": _K.BV_SLE,
    "zero_extend": _K.BV_ZERO_EXTEND,
    "sign_extend": _K.BV_SIGN_EXTEND,
    "extract": _K.BV_EXTRACT,
    "concat": _K.BV_CONCAT,
}


class _Meter:
    """Counts the terminator's calls; by itself, because a solver that refers to its session is
    never freed.
    """

    __slots__ = ("calls", "limit")

    def __init__(self) -> None:
        self.calls = 0
        self.limit = 0

    def __call__(self) -> bool:
        self.calls += 1
        return self.calls > self.limit or interrupts.interrupted()


class Session:
    """One incremental bitwuzla instance: assert terms, check within a number of terminator
    calls; what is asserted is rewritten as a whole first, unless it is to be taken ``plain``.
    """

    def __init__(self, *, plain: bool = False) -> None:
        self._tm = bz.TermManager()
        options = bz.Options()
        options.set(bz.Option.PRODUCE_MODELS, True)
        options.set(bz.Option.PREPROCESS, not plain)
        self._solver = bz.Bitwuzla(self._tm, options)
        self._terms: dict[Expr, bz.Term] = {}
        self._sorts: dict[int, bz.Sort] = {}
        self._handles: list[bz.Term] = []
        self._plans: dict[Expr, tuple[tuple[Expr, tuple[int, ...]], ...]] = {}
        self._meter = _Meter()
        self._solver.configure_terminator(self._meter)

    def _sort(self, width: int) -> bz.Sort:
        found = self._sorts.get(width)
        if found is None:
            found = self._sorts[width] = self._tm.mk_bv_sort(width)
        return found

    def const(self, value: int, width: int) -> bz.Term:
        """Return a literal."""
        return self._tm.mk_bv_value(self._sort(width), value)

    def apply(
        self, op: Op, args: Sequence[bz.Term], widths: Sequence[int], attr: Attr, width: int
    ) -> bz.Term:
        """Apply one primitive."""
        mk = self._tm.mk_term
        if op.smt == "ite":
            return mk(_K.ITE, [mk(_K.EQUAL, [args[0], self.const(1, 1)]), args[1], args[2]])
        kind = _KINDS[op.smt]
        if op.smt == "extract":
            low = attr[0]
            assert isinstance(low, int)
            return mk(kind, list(args), [low + width - 1, low])
        if attr:
            return mk(kind, list(args), [width - widths[0]])
        result = mk(kind, list(args))
        return mk(_K.ITE, [result, self.const(1, 1), self.const(0, 1)]) if op.boolean else result

    def _term(self, root: Expr) -> bz.Term:
        done = self._terms
        if root not in done:
            for e in postorder([root]):
                if e in done:
                    continue
                if e.op == "const":
                    done[e] = self.const(e.value, e.width)
                elif e.is_leaf:
                    done[e] = self._tm.mk_const(self._sort(e.width), repr(e))
                else:
                    done[e] = self.apply(
                        OPS[e.op],
                        [done[a] for a in e.args],
                        [a.width for a in e.args],
                        e.attr,
                        e.width,
                    )
        return done[root]

    def require(self, bit: Expr) -> None:
        """Assert that the one-bit term ``bit`` is 1."""
        self._solver.assert_formula(
            self._tm.mk_term(_K.EQUAL, [self._term(in_primitives(bit)), self.const(1, 1)])
        )

    @property
    def steps(self) -> int:
        """Terminator calls that the last check took."""
        return self._meter.calls

    def fresh(self, width: int) -> int:
        """Make a new unknown of ``width`` bits; return its handle (valid in this session only)."""
        return self._handle(self._tm.mk_const(self._sort(width), f"${len(self._handles)}"))

    def inline(self, fn: Expr, handles: Mapping[Expr, int]) -> int:
        """Build ``fn`` with its leaves replaced by handles, without interning anything; return
        its handle.
        """
        plan = self._plans.get(fn)
        if plan is None:
            plan = self._plans[fn] = tuple(
                (e, tuple(a.width for a in e.args)) for e in postorder([in_primitives(fn)])
            )
        done: dict[Expr, bz.Term] = {}
        for e, widths in plan:
            if e.is_leaf:
                done[e] = self._handles[handles[e]]
            elif e.op == "const":
                done[e] = self.const(e.value, e.width)
            else:
                done[e] = self.apply(OPS[e.op], [done[a] for a in e.args], widths, e.attr, e.width)
        return self._handle(done[plan[-1][0]])

    def require_handle(self, bit: int) -> None:
        """Assert that the one-bit term of a handle is 1."""
        self._solver.assert_formula(
            self._tm.mk_term(_K.EQUAL, [self._handles[bit], self.const(1, 1)])
        )

    def value(self, handle: int) -> int:
        """Return the value of a handle in the model; only after a check that answered
        :class:`Sat`.
        """
        return int(self._solver.get_value(self._handles[handle]).value(10))

    def _handle(self, made: bz.Term) -> int:
        self._handles.append(made)
        return len(self._handles) - 1

    def check(self, effort: int) -> Answer:
        """Check what has been asserted, within ``effort`` terminator calls."""
        self._meter.calls, self._meter.limit = 0, effort
        with interrupts.polled():
            result = self._solver.check_sat()
        if result == bz.Result.UNSAT:
            return Unsat("bitwuzla")
        if result == bz.Result.SAT:
            leaves = {e: t for e, t in self._terms.items() if e.is_leaf}
            return Sat(
                "bitwuzla", {e: int(self._solver.get_value(t).value(10)) for e, t in leaves.items()}
            )
        return GaveUp(f"bitwuzla: {effort} steps")


class BitwuzlaSolver:
    """Bitwuzla, a fresh instance a query; effort counts calls of its terminator."""

    name = "bitwuzla"

    def check(self, query: Query, effort: int) -> Answer:
        """See :class:`isel.smt.query.Solver`."""
        session = Session()
        for e in query.assertions:
            session.require(e)
        return session.check(effort)
