"""The planted faults: what each gets wrong, where, and the function that it is seen on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.planted import kernels


@dataclass(frozen=True, slots=True)
class Fault:
    """A patch: in ``module`` the only occurrence of ``old`` becomes ``new``; ``kernel`` is
    rewritten wrongly then.

    ``refused``: without the fault it is left alone, with a reason.  ``searched``: the search finds a wrong program, which its own proof would turn away: that is
    switched off, so that the last proof is the only net.
    """

    name: str
    what: str
    module: str
    old: str
    new: str
    kernel: str
    searched: bool = False
    refused: bool = False


_EMIT: Final = "frontends.llvm.splicing.emit"
_SPLICE: Final = "frontends.llvm.splicing.write"
_REGIONS: Final = "frontends.llvm.windows.regions"
_REGROUP: Final = "frontends.llvm.transform.regrouped"
_LINES: Final = "frontends.llvm.text.lines"
_LOADED: Final = "leaf.width), at, 1)"

FAULTS: Final = (
    Fault("operands swapped", "an instruction takes its operands in reverse", _EMIT,
          "zip(instruction.operands, args, strict=True)", "zip(instruction.operands, args[::-1], strict=True)", kernels.SATURATED),
    Fault("freeze dropped", "a leaf that may be undefined is used twice without a freeze", _EMIT,
          "value if x.fixed", "value if not x.fixed", kernels.UNDEFINED),
    Fault("slice one further", "half of a register begins one element too far", _LINES,
          "range(first, first + count))", "range(first + 1, first + count + 1))", kernels.HALVES),
    Fault("halves exchanged", "two registers are joined in the wrong order", _EMIT,
          "tree(parts, self.lines.pair)", "tree(parts, lambda a, b: self.lines.pair(b, a))", kernels.HALVES),
    Fault("weights reversed", "the elements of a constant are in reverse", _EMIT,
          "return tuple(fill if v is None else v for v in values)", "return tuple(fill if v is None else v for v in values)[::-1]", kernels.WEIGHTED),
    Fault("a weight off by one", "the last element of a constant is one too great", _EMIT,
          "build.constant(constant_lanes(s.values)", "build.constant((*(x := constant_lanes(s.values))[:-1], x[-1] + 1)", kernels.WEIGHTED),
    Fault("immediate off by one", "a shift goes one bit too far", _EMIT,
          "emitted(instruction.emission, immediates)", "emitted(instruction.emission, {n: v + 1 for n, v in immediates.items()})", kernels.DIVIDED),
    Fault("repeated in blocks", "scalars of one load are repeated one after the other instead of in turn", _EMIT,
          "[k % m.count for k in range(leaf.lanes)]", "[k * m.count // leaf.lanes for k in range(leaf.lanes)]", kernels.SCALARS),
    Fault("a byte further", "an added load reads from one byte further on", _EMIT, _LOADED,
          "leaf.width), place.add(build.address(at, 1)), 1)", kernels.PAIRS),
    Fault("load behind a store", "an added load stands behind a store to the same bytes", _EMIT,
          "((m.after, line)", "((m.after + 1, line)", kernels.STORED),
    Fault("lanes of a scalar", "of a scalar in all lanes what is behind it is repeated", _LINES,
          "[0] * len(values))", "[1] * len(values))", kernels.BLENDED),
    Fault("an invariant's lanes", "what is computed before a loop is computed of its complement", "isel.synth.goals.once",
          "made = making(*known[s.name])",
          "made = making(known[s.name][0], [__import__('isel.ir.build').ir.build.bnot(e) for e in known[s.name][1]])", kernels.BLENDED, searched=True),
    Fault("leaves exchanged", "each leaf stands for the operand of the next one", _EMIT,
          "self.inputs = {x.leaf.name: x for x in self.given}",
          "self.inputs = {x.leaf.name: y for x, y in zip(self.given, (*self.given[1:], self.given[0]))}", kernels.SATURATED),
    Fault("another window's program", "every window of a function gets the program of the last one", _SPLICE,
          "emit(r.program, r.site.inputs", "emit(rewrites[-1].program, r.site.inputs", kernels.TWO),
    Fault("address of the last part", "an added load begins where the last of its parts does", _REGIONS,
          "loads[first].operands[0], read.bits", "loads[parts[-1]].operands[0], read.bits", kernels.PAIRS),
    Fault("an element too many", "an added load reads one element more than its parts, and is repeated with it", _REGIONS,
          "read.bits // read.width, max(", "read.bits // read.width + 1, max(", kernels.SCALARS),
    Fault("address in elements", "the index of an address counts elements, whatever their size", "frontends.llvm.function.addresses",
          "form.total += step", "form.total += step // self._sizes.stride(i.operands[0].type)", kernels.APART),
    Fault("saturation as signed", "unsigned operands are taken to fit a signed saturation", "isel.rules.words",
          "return range_of(e).signed", "return range_of(e).signed[0], min(range_of(e).signed[1], 127)", kernels.CLAMPED, searched=True),
    Fault("factor rounded down", "the factor that stands for a division is rounded the wrong way", "isel.synth.instructions.divide",
          "factor = -(-(1 << amount) // divisor)", "factor = (1 << amount) // divisor", kernels.SEVENTHS, searched=True),
    Fault("high half shifted", "a literal that a rule computes, a shift of a product's high half, is one too great", "isel.rules.make",
          "_const({self._number(p.number)}, ", "_const({self._number(p.number)} + 1, ", kernels.HIGH, searched=True),
    Fault("a fact that does not hold", "every element of a window's inputs is taken to be positive", "isel.synth.problem",
          "        self.facts = (*(f for f in regional.facts if not f.is_const), *self.once.facts)",
          "        from isel.ir.build import slt\n        from isel.ir.expr import const, elem\n"
          "        self.facts = tuple(slt(const(0, x.width), elem(x.name, i * x.width, x.width)) for x in window.leaves for i in range(x.lanes))",
          kernels.PACKED, searched=True),
    Fault("a splice a byte further", "a load in place of a splice reads from one byte further in front", "frontends.llvm.transform.carried_loads",
          "operands[0], by))", "operands[0], by - 1))", kernels.SPLICED),
    Fault("the first iteration forgotten", "where a carried vector begins is not looked at", "frontends.llvm.transform.carried_loads",
          "for label in incoming(x[0]):\n                lane", "for label in [block]:\n                lane", kernels.STARTED_ELSEWHERE),
    Fault("a store overlooked", "a store to what is carried is taken to go elsewhere", "frontends.llvm.transform.carried_loads",
          "if not self.scope.may_write(i):", "if i.opcode:", kernels.WRITTEN_BETWEEN, refused=True),
    Fault("root one further", "the lanes of a result that is shorter than a register are taken one too far", "isel.synth.goals.roots",
          'search.plans.part(width, plan, 0, len(piece))', 'search.plans.part(width, plan, 1, len(piece))', kernels.FEW, searched=True),
    Fault("arguments in reverse", "a program's steps take their arguments in reverse", "isel.synth.layout.plans",
          "tuple(new[a] for a in s.args)", "tuple(new[a] for a in s.args[::-1])", kernels.SATURATED, searched=True),
    Fault("groups overlap", "the lanes of a regrouped sum begin one too early", _REGROUP,
          "ends = [range(start + g, start + g +", "ends = [range(start + max(g - 1, 0), start + max(g - 1, 0) +", kernels.SUMMED),
    Fault("start in every lane", "what an accumulator starts with is counted once a lane", _REGROUP,
          "(total, *(0,) * (self.lanes - 1))", "(total,) * self.lanes", kernels.SUMMED),
    Fault("narrow maximum by sign", "the maximum of extended bytes is that of signed ones", "isel.ir.joins",
          'zext="umax", sext="smax"', 'zext="smax", sext="smax"', kernels.GREATEST),
)  # fmt: skip

# What proves the loads in place of splices: a fault lets it prove a pair of ``tests/verify/pairs``
# that is wrong, which is then up to what plans them.
IN_THE_PROOF: Final = (
    ("frontends.llvm.function.alias", "if not self.may_write(effect):", 'if i.opcode == "call":',
     "spliced_across_a_call"),
    ("frontends.llvm.function.alias", "a != b and not {a, b}.isdisjoint(self._own)", "a != b", "spliced_across_a_store"),
    ("frontends.llvm.cuts.block_memory", "return all(self.writes.leaves(p, span) for p in between)", "return True",
     "spliced_after_a_store_in_front"),
    ("frontends.llvm.cuts.state", "first[m // count]", "first[m // count] and m != 15", "spliced_with_a_step_of_eight"),
    ("frontends.llvm.cuts.compare", "in self.sides.shown:", "in self.sides.shown[:1]:", "spliced_behind_a_pointer_that_is_slower"),
)  # fmt: skip

# What the last proof itself reads and does not compute apart: planted here, a fault gets through
# today.  One that it objects to belongs above; the test says so.
UNDER_THE_PROOF: Final = (
    Fault("arms exchanged", "a select is read with its arms exchanged", "frontends.llvm.meaning.lower",
          "rows = ((b.ite(k, e, f), ", "rows = ((b.ite(k, f, e), ", kernels.CHOSEN),
)  # fmt: skip
