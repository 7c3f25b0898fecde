"""Several passes of a loop of one block as one, the last of which alone may end it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frontends.llvm.passes.counting import Cycle
from frontends.llvm.passes.left import require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.rewording import copy
from frontends.llvm.text.view import View, incoming


def unroll(view: View, loop: Cycle, times: int, names: Iterator[str]) -> dict[int, tuple[str, ...]]:
    """Return what lines of a loop become where a pass does what ``times`` did; the last of these
    keeps the names.  Raises :class:`Left` where that is not all that has to change.
    """
    instrs = view.block(loop.header).instrs
    next_ = next_values(view, loop)
    body = [i for i in instrs if i.opcode not in ("phi", "dbg")]
    again = _again(view, loop, body)
    early, called = list[str](), {p: p for p in next_}
    for n in range(1, times):
        called |= {i.name: next(names) for i in again if i.name}
        early += copy(again, called)
        called = {p: called.get(o, o) for p, o in next_.items()}
        called[loop.counter.name] = next(names)
        early.append(_count(loop, called[loop.counter.name], n))
    lines: dict[int, tuple[str, ...]]
    lines = {i.line: (x,) for i, x in zip(body, copy(body, called), strict=True)}
    lines[loop.after.line] = (_count(loop, loop.after.name, times),)
    lines[body[0].line] = (*early, *lines[body[0].line])
    return lines


def _count(loop: Cycle, name: str, times: int) -> str:
    """Return what gives the counter so many passes later."""
    return build.binary("add", build.result(loop.counter), times * loop.step).line(name)


def next_values(view: View, loop: Cycle) -> dict[str, str]:
    """Return what each phi of a loop is in the next pass, by name; raises :class:`Left` where that
    is not known of one.
    """
    instrs = view.block(loop.header).instrs
    phis = [i for i in instrs if i.opcode == "phi"]
    users = {u.line for i in phis for u in view.used_by(i.name)}
    require(users <= {i.line for i in instrs}, "what it carries is used behind it")
    found = {i.name: incoming(i)[loop.latch] for i in phis}
    names = {p: o.name for p, o in found.items() if isinstance(o, Local)}
    require(len(names) == len(found), "it carries a constant")
    require(not {*names.values()} & {*names}, "it carries what another value was")
    return names


def _again(view: View, loop: Cycle, body: Sequence[Instr]) -> list[Instr]:
    """Return what every pass does: what only counts is done once."""
    ends = {u.line for u in view.used_by(loop.test.name)}
    require(ends == {body[-1].line}, "the test of its end is used elsewhere")
    counts = {loop.test.line, loop.counter.line}
    alone = {u.line for u in view.used_by(loop.after.name)} <= counts
    once = (loop.test, loop.after) if alone else (loop.test,)
    return [i for i in body[:-1] if i not in once]
