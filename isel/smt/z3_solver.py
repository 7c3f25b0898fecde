"""The only module that imports z3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import z3

from isel import interrupts
from isel.ir.expr import Expr, postorder
from isel.ir.ops import OPS, Attr, Op
from isel.smt.query import Answer, GaveUp, Query, Sat, Unsat

_FUNCTIONS: Final[dict[str, Callable[..., z3.ExprRef]]] = {
    "bvadd": lambda a, b: a + b,
    "bvsub": lambda a, b: a - b,
    "bvmul": lambda a, b: a * b,
    "bvudiv": z3.UDiv,
    "bvurem": z3.URem,
    "bvsdiv": lambda a, b: a / b,
    "bvsrem": z3.SRem,
    "bvand": lambda a, b: a & b,
    "bvor": lambda a, b: a | b,
    "bvxor": lambda a, b: a ^ b,
    "bvnot": lambda a: ~a,
    "bvneg": lambda a: -a,
    "bvshl": lambda a, b: a << b,
    "bvlshr": z3.LShR,
    "bvashr": lambda a, b: a >> b,
    "=": lambda a, b: a == b,
    "bvult": z3.ULT,
    "bvule": z3.ULE,
    "bvslt": lambda a, b: a < b,
    "bvsle": lambda a, b: a <= b,
    "concat": z3.Concat,
}
_MOST: Final = (1 << 32) - 1  # z3 counts in 32 bits
_KEYBOARD: Final = "interrupted from keyboard"  # z3 has a handler of its own while it works


class _Z3Terms:
    def __init__(self, context: z3.Context) -> None:
        self.context = context

    def const(self, value: int, width: int) -> z3.BitVecRef:
        return z3.BitVecVal(value, width, self.context)

    def apply(
        self, op: Op, args: Sequence[z3.BitVecRef], widths: Sequence[int], attr: Attr, width: int
    ) -> z3.BitVecRef:
        result: Any
        if op.smt == "ite":
            result = z3.If(args[0] == self.const(1, 1), args[1], args[2])
        elif op.smt == "extract":
            low = attr[0]
            assert isinstance(low, int)
            result = z3.Extract(low + width - 1, low, args[0])
        elif op.smt == "zero_extend":
            result = z3.ZeroExt(width - widths[0], args[0])
        elif op.smt == "sign_extend":
            result = z3.SignExt(width - widths[0], args[0])
        else:
            result = _FUNCTIONS[op.smt](*args)
        if op.boolean:
            result = z3.If(result, self.const(1, 1), self.const(0, 1))
        assert isinstance(result, z3.BitVecRef)
        return result


class Z3Solver:
    """Z3, a fresh context a query (its resource count adds up within one); effort is ``rlimit``."""

    name = "z3"

    def check(self, query: Query, effort: int) -> Answer:
        """See :class:`isel.smt.query.Solver`."""
        context = z3.Context()
        solver = z3.SolverFor("QF_BV", ctx=context)
        solver.set("rlimit", min(max(effort, 1), _MOST))  # z3 takes 0 for no limit
        algebra = _Z3Terms(context)
        done: dict[Expr, z3.BitVecRef] = {}
        for e in postorder(query.assertions):
            if e.op == "const":
                done[e] = algebra.const(e.value, e.width)
            elif e.is_leaf:
                done[e] = z3.BitVec(repr(e), e.width, context)
            else:
                done[e] = algebra.apply(
                    OPS[e.op], [done[a] for a in e.args], [a.width for a in e.args], e.attr, e.width
                )
        for e in query.assertions:
            solver.add(done[e] == algebra.const(1, 1))
        result = solver.check()
        interrupts.settle()
        if result == z3.unsat:
            return Unsat("z3")
        if result == z3.sat:
            model = solver.model()
            values = {e: model.eval(t, model_completion=True) for e, t in done.items() if e.is_leaf}
            return Sat("z3", {e: v.as_long() for e, v in values.items()})
        why = solver.reason_unknown()
        if why == _KEYBOARD:
            raise KeyboardInterrupt
        if "memory" in why or "memout" in why:  # another machine, or moment, has more of it
            raise MemoryError(f"z3: {why}")
        return GaveUp(f"z3: {why}")

    def read(self, text: str) -> str:
        """Return z3's answer to an SMT-LIB text, so that a certificate's query can be replayed
        as it was hashed.
        """
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(text)
        return str(solver.check())
