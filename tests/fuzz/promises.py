"""Two equal accesses, one of which promises something: a target that relies on the promise of the
other one is not proved, one that does not is.

A function loads bytes twice, computes the same of both and stores the results; what is promised of
a load, a sum or a call of the first makes that alone poison, or undefined behaviour.  The target is
the same function with other promises, or computes once, in a form that the proof knows: as it is, a
loop doubled, unrolled or straight, a block split.  ``python -m tests.fuzz promises`` looks at so
many, and adds promises to loads of the tests' own right pairs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from frontends.llvm.function.graph import Graph
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.counting import cycle_of, loop_of
from frontends.llvm.passes.doubling import double
from frontends.llvm.passes.guesses import GUESSES
from frontends.llvm.passes.unroll import unroll
from frontends.llvm.refine.decide import decide
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.options import Options
from frontends.llvm.text.ast import Block, Function, Module
from frontends.llvm.text.parse import parse_instruction, parse_module, with_lines
from frontends.llvm.text.rewording import rename
from frontends.llvm.transform.split import split
from frontends.llvm.transform.straight import straight
from isel.model.verdict import Proved, Refuted, Verdict
from tests.frontends.llvm.transformed import with_blocks

Promised = frozenset[str]  # of which of the accesses ``a``, ``b`` and ``c`` something is promised

_OPS: Final = ("add", "sub", "xor", "mul")
_FLAGS: Final = {
    "add": ("nsw", "nuw", "nuw nsw"),
    "sub": ("nsw", "nuw"),
    "mul": ("nsw", "nuw"),
    "lshr": ("exact",),
    "or": ("disjoint",),
}
FORMS: Final = ("block", "loop", "double", "unroll", "straight", "split")
LOADS: Final = {
    "range": ", !range !0",
    "noundef": ", !noundef !1",
    "both": ", !range !0, !noundef !1",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """What is promised where: ``kind`` of promise, of accesses of the source and of the target,
    which computes ``once`` what the source computes twice; in which ``form``.
    """

    seed: int
    kind: str
    form: str
    width: int
    op: str
    said: str
    once: bool
    source: Promised
    target: Promised

    @property
    def alone(self) -> bool:
        """Whether no address may be another one."""
        return self.form != "split"

    @property
    def wanted(self) -> bool | None:
        """Whether it is to be proved; None where it may be, as a promise that is broken with
        undefined behaviour is one of all equal loads.
        """
        mine, theirs = self.source, self.target
        if self.once and "a" in theirs:
            theirs |= {"b"}
        if theirs <= mine:  # one of two equal calls of one value may be taken for the other
            return None if self.kind == "call" and theirs else True
        undefined = self.kind in ("noundef", "both")
        return None if undefined and mine & {"a", "b"} and "c" not in theirs - mine else False

    def text(self, promised: Promised, *, once: bool = False) -> str:
        """Return the module of one side, before it has its form."""
        kind, size = f"i{self.width}", self.width // 8
        no = "noalias " if self.alone else ""
        loop = self.form not in ("block", "split")
        lines = [*self._lines(promised, once=once)]
        names = ("s", "o") if loop else ("p", "q")
        body = [x.format(s=names[0], o=names[1]) for x in lines]
        head = f"define void @f(ptr noundef {no}%p, ptr noundef {no}%q, i64 noundef %n) {{"
        if loop:
            stop = "%n" if self.form in ("loop", "double") else "4"
            step, by = f"mul i64 %i, {size}", f"mul i64 %i, {3 * size}"
            body = [
                "br label %l", "l:", "%i = phi i64 [ 0, %0 ], [ %j, %l ]", f"%x = {step}",
                f"%y = {by}", "%s = getelementptr i8, ptr %p, i64 %x",
                "%o = getelementptr i8, ptr %q, i64 %y", *body, "%j = add i64 %i, 1",
                f"%e = icmp eq i64 %j, {stop}", "br i1 %e, label %z, label %l", "z:",
            ]  # fmt: skip
        nodes = f"!kept = !{{!0, !1}}\n!0 = !{{{kind} 3, {kind} 90}}\n!1 = !{{}}\n"
        declared = f"declare {kind} @llvm.umin.{kind}({kind}, {kind})\n"
        return "\n".join((declared, head, *body, "ret void", "}", nodes))

    def _lines(self, promised: Promised, *, once: bool) -> Iterator[str]:
        kind, size, second = f"i{self.width}", self.width // 8, "u" if once else "v"
        said = {x: LOADS.get(self.kind, "") if x in promised else "" for x in "abc"}
        yield f"%a = load {kind}, ptr %{{s}}, align 1{said['a']}"
        yield f"%u = {self._compute('a', promised)}"
        yield f"store {kind} %u, ptr %{{o}}, align 1"
        if not once:
            yield f"%b = load {kind}, ptr %{{s}}, align 1{said['b']}"
            yield f"%v = {self._compute('b', promised)}"
        yield f"%o1 = getelementptr i8, ptr %{{o}}, i64 {size}"
        yield f"store {kind} %{second}, ptr %o1, align 1"
        yield f"%s1 = getelementptr i8, ptr %{{s}}, i64 {size}"
        yield f"%c = load {kind}, ptr %s1, align 1{said['c']}"
        yield f"%o2 = getelementptr i8, ptr %{{o}}, i64 {2 * size}"
        yield f"store {kind} %c, ptr %o2, align 1"

    def _compute(self, name: str, promised: Promised) -> str:
        kind = f"i{self.width}"
        said = f" {self.said}" if name in promised and self.said else ""
        if self.op == "umin":
            call = f"{kind} @llvm.umin.{kind}({kind} %{name}, {kind} 77)"
            return f"call{said} {call}"
        return f"{self.op}{said} {kind} %{name}, 3"


def pair(seed: int) -> Pair:
    """Return the pair of a seed."""
    rng = random.Random(f"promises {seed}")
    kind = rng.choice((*LOADS, "flag", "call"))
    form, width = rng.choice(FORMS), rng.choice((8, 16, 32))
    op = rng.choice(tuple(_FLAGS) if kind == "flag" else _OPS)
    said = rng.choice(_FLAGS[op]) if kind == "flag" else ""
    if kind == "call":
        op, said = "umin", f"range(i{width} 3, 70)"
    names = "abc" if kind in LOADS else "ab"
    once = (form != "split" or kind in LOADS) and rng.random() < 0.5
    mine, theirs = (frozenset(x for x in names if rng.random() < (0.4, 0.3)[k]) for k in range(2))
    theirs = theirs - {"b"} if once else theirs
    return Pair(seed, kind, form, width, op, said, once, mine, theirs)


def _double(graph: Graph, names: Iterator[str]) -> Function:
    view = graph.function.view
    cycle = cycle_of(view, "l")
    assert cycle is not None
    return with_blocks(graph.function, "l", double(view, cycle, names))


def _unroll(graph: Graph, names: Iterator[str]) -> Function:
    view = graph.function.view
    loop = loop_of(view, "l")
    assert loop is not None
    lines, instrs = unroll(view, loop, 2, names), view.block("l").instrs
    texts = (x for i in instrs for x in lines.get(i.line, (i.text.strip(),)))
    return with_lines(graph.function, "l", texts)


def _straighten(graph: Graph, names: Iterator[str]) -> Function:
    view = graph.function.view
    loop = loop_of(view, "l")
    assert loop is not None
    s = straight(graph, loop, names)
    return with_blocks(graph.function, "l", s.blocks(view, (*s.early, *s.disjoint.lines()), names))


def _split(graph: Graph, names: Iterator[str]) -> Function:
    (block,) = graph.function.blocks
    s, at, end = split(graph, block.label, names), count(), graph.end(block.label)
    gone = {i.line for i in (*s.late, end)}
    head = [i.text.strip() for i in block.instrs if i.line not in gone]
    first, second, behind = s.labels
    texts = {
        block.label: [*head, *s.check, s.branch()],
        first: [*s.disjoint, f"br label %{behind}"],
        second: [*s.plain, f"br label %{behind}"],
        behind: [*s.phis(), end.text.strip()],
    }
    blocks = (
        Block(label, tuple(parse_instruction(x, next(at)) for x in lines))
        for label, lines in texts.items()
    )
    return replace(graph.function, blocks=tuple(blocks))


def _promise_once(p: Pair, function: Function) -> Function:
    """Return a split function that loads equal bytes once behind its check, with promises of the
    loads there.
    """
    said = {x: LOADS[p.kind] if x in p.target else "" for x in "abc"}
    block = function.blocks[1]
    a, b, c = (x for x in block.instrs if x.opcode == "load")
    of = {x.line: said[k] for k, x in zip("abc", (a, b, c), strict=True)}
    lines = (rename(x.text.strip(), {b.name: a.name} if x is not b else {}) for x in block.instrs)
    texts = (x + of.get(i.line, "") for x, i in zip(lines, block.instrs, strict=True))
    return with_lines(function, block.label, texts)


_CHANGES: Final[Mapping[str, Callable[[Graph, Iterator[str]], Function]]] = {
    "double": _double,
    "unroll": _unroll,
    "straight": _straighten,
    "split": _split,
}


def sides(p: Pair) -> tuple[Module, Module, Function]:
    """Return the source's module, that of the target before it has its form, and the target."""
    late = p.once and p.form == "split"
    before = p.text(p.source), p.text(frozenset() if late else p.target, once=p.once and not late)
    a, b = (parse_module(normalise(x)) for x in before)
    frame, names = Frames.of(b, b).source, (f"t.{n}" for n in count())
    (function,) = b.functions
    if p.form not in _CHANGES:
        return a, b, function
    function = _CHANGES[p.form](Graph(function, frame.contents, frame.sizes), names)
    return (a, a, _promise_once(p, function)) if late else (a, b, function)


def verdict(p: Pair) -> Verdict:
    """Return what is said of a pair."""
    a, b, target = sides(p)
    options = Options(guesses=GUESSES)
    return decide(a.functions[0], target, None, Frames.of(a, b), options).verdict


def wrong(p: Pair) -> str:
    """Return what is wrong with the verdict on a pair, empty where nothing is."""
    found = verdict(p)
    if p.wanted is None or isinstance(found, Proved) is p.wanted:
        if p.wanted and isinstance(found, Refuted):
            return f"refuted: {p}"
        return ""
    return f"{'not proved' if p.wanted else 'proved'}: {p}: {found}"
