"""Expansions recognised in terms: what :mod:`isel.ir.derived` would make of the operands that a
term seems to have.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from isel.ir import derived
from isel.ir.expr import Expr, elem, leaves
from isel.spec.sem_syntax import Call, Name, Node, Number
from semantics.x86.importer.builtin import truth_table
from semantics.x86.importer.values import low_bits, unsigned

if TYPE_CHECKING:
    from semantics.x86.importer.nodes import Writer


def saturated(w: Writer, e: Expr) -> Node | None:
    """Recognise saturating narrowing, addition and subtraction."""
    if e.op != "extract" or e.int_attr(0) != 0 or e.args[0].op != "ite":
        return None
    inner = e.args[0]
    for x in (inner.args[1], *(inner.args[2].args[1:2])):
        for name in ("sat_s", "sat_su", "sat_u"):
            if x.width > e.width and derived.NARROWING[name](x, e.width) is e:
                if x.op == "add" and x.width == e.width + 1:
                    a, b = (y.args[0] if y.op in ("sext", "zext") else y for y in x.args)
                    for full in ("sadd_sat", "uadd_sat"):
                        if a.width == b.width == e.width and derived.BINARY[full](a, b) is e:
                            return Call(full, (w.typed(a), w.operand(b)))
                if x.op == "sub" and x.width == e.width + 1:
                    a, b = (y.args[0] if y.op == "sext" else y for y in x.args)
                    if a.width == b.width == e.width and derived.ssub_sat(a, b) is e:
                        return Call("ssub_sat", (w.typed(a), w.operand(b)))
                return Call(name, (w.typed(x), Number(e.width)))
    return None


def extreme(w: Writer, e: Expr) -> Node | None:
    """Recognise minima, maxima, differences from below, absolute values."""
    if e.op != "ite" or e.args[0].op not in ("slt", "ult"):
        return None
    a, b = e.args[0].args
    for name in ("smin", "smax", "umin", "umax", "usub_sat", "uabsdiff"):
        if a.width == e.width and derived.BINARY[name](a, b) is e:
            return Call(name, (w.operand(a), w.operand(b)))
    if a.width == e.width and derived.sabs(a) is e:
        return Call("abs", (w.typed(a),))
    return None


def counted(w: Writer, e: Expr) -> Node | None:
    """Recognise the number of bits set and of leading zeros."""
    if e.op == "add":
        x = e
        while x.args and x.op != "extract":
            x = x.args[-1]
        if x.op == "extract" and x.args[0].width == e.width and derived.popcount(x.args[0]) is e:
            return Call("popcount", (w.typed(x.args[0]),))
    if e.op == "ite" and e.args[0].op == "extract" and e.args[1].op == "const":
        x = e.args[0].args[0]
        if x.width == e.width > 4 and e.args[0].int_attr(0) == e.width - 1 and derived.ctlz(x) is e:
            return Call("ctlz", (w.typed(x),))
    return None


def masked_truth(w: Writer, e: Expr) -> Node | None:
    """Recognise the function of three operands that an immediate is the truth table of."""
    if e.op != "or" or e.width == 1:
        return None
    tables = {x.source for x in leaves(e) if x.source in w.immediates}
    operands = [x for x in leaves(e) if x.source not in w.immediates]
    if len(tables) != 1 or len(operands) != 3:
        return None
    (name,) = tables
    table = unsigned(elem(name, 0, 8))
    for a, b, c in permutations(operands):
        if low_bits(truth_table(table, unsigned(a), unsigned(b), unsigned(c)), e.width) is e:
            return Call("truth", (Name(name), w.term(a), w.term(b), w.term(c)))
    return None


RULES = (saturated, extreme, counted, masked_truth)
