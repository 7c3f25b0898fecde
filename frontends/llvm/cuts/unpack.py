"""A function that computes what another one packs before a loop where that loads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from frontends.llvm.cuts.graph import Graph
from frontends.llvm.cuts.packing import Packing
from frontends.llvm.passes.counting import Loop
from frontends.llvm.passes.left import Left, require
from frontends.llvm.text.ast import Block, Function, Instr, Local
from frontends.llvm.text.layout import NotSized
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import rename
from frontends.llvm.text.syntax import integer_shape
from frontends.llvm.text.view import incoming


def unpack(graph: Graph) -> Function | None:
    """Return a function that this one refines, which packs less; None where it packs nothing."""
    for i in graph.function.blocks[0].instrs:
        if i.opcode == "alloca":
            try:
                return _Unpacking(
                    Packing(graph, i), graph.function.view.free_names("isel.joined")
                ).function()
            except (Left, NotSized):
                continue
    return None


@dataclass(slots=True)
class _Unpacking:
    """The lines that come before an instruction, and what values are called."""

    p: Packing
    fresh: Iterator[str]
    before: dict[int, list[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of loads, those of what was stored
    needed: set[int] = field(default_factory=set)  # lines of what the stores are computed from

    def function(self) -> Function:
        """Return the function without the slot."""
        p, first = self.p, self.p.first[0]
        self._compute()
        gone = {i.line for i in (p.slot, *p.steps, *p.loads)}
        for i in p.loads:
            self._join(i)
        edges = {first.before: {first.header: first.out}, first.out: {first.latch: first.before}}
        blocks, at = list[Block](), 0
        for block in p.graph.function.blocks:
            if block.label not in p.inside:
                lines = list(self._lines(block.instrs, gone))
                new = [
                    self._parse(x, at + k, edges.get(block.label, {})) for k, x in enumerate(lines)
                ]
                blocks.append(Block(block.label, tuple(new)))
                at += len(lines)
        return replace(p.graph.function, blocks=tuple(blocks))

    def _lines(self, instrs: Sequence[Instr], gone: set[int]) -> Iterator[str]:
        for i in instrs:
            yield from self.before.get(i.line, ())
            yield from () if i.line in gone else (i.text.strip(),)

    def _parse(self, line: str, at: int, edges: Mapping[str, str]) -> Instr:
        text = rename(line, self.names)
        moves = text.startswith("br ") or " = phi " in text
        return parse_instruction(rename(text, edges) if moves else text, at)

    def _join(self, load: Instr) -> None:
        """Write what puts the values of stores together that are loaded at once."""
        parts = [_name(s.value) for s in self.p.covers[load.line]]
        shape = integer_shape(self.p.covers[load.line][0].value.type)
        assert shape is not None
        if len(parts) == 1:
            self.names[load.name] = parts[0]
        count, width = shape
        while len(parts) > 1:
            kind, mask = f"<{count} x i{width}>", ", ".join(f"i32 {m}" for m in range(2 * count))
            names = [load.name] if len(parts) == 2 else [next(self.fresh) for _ in parts[::2]]
            for k, name in enumerate(names):
                both = f"{kind} %{parts[2 * k]}, {kind} %{parts[2 * k + 1]}"
                line = f"%{name} = shufflevector {both}, <{2 * count} x i32> <{mask}>"
                self.before.setdefault(load.line, []).append(line)
            parts, count = names, 2 * count

    def _compute(self) -> None:
        """Write what computes the values of stores, each in the loop that counts alike."""
        own = {i.name: i for i in self.p.work()}
        pairs = list(zip(self.p.first, self.p.later, strict=True))
        counters = {a.counter.name: b.counter.name for a, b in pairs}
        steps = self._reach(own, [_name(s.value) for s in self.p.parts], counters)
        loads = {i.line for i in own.values() if i.opcode == "load"}
        require(loads <= self.needed, "it reads what is not packed")
        plain = {i.line: i for i in own.values() if i.opcode != "phi"}
        for line in sorted(self.needed & plain.keys()):
            at = steps.get(line) or self._place_of(plain[line], pairs)
            self.before.setdefault(at, []).append(rename(plain[line].text.strip(), counters))

    def _reach(
        self, own: Mapping[str, Instr], names: Sequence[str], counters: Mapping[str, str]
    ) -> dict[int, int]:
        """Note what values are computed from; return before which lines the steps of phis go."""
        waiting, steps = list(names), dict[int, int]()
        while waiting:
            i = own.get(waiting.pop())
            if i is None or i.line in self.needed or i.name in counters:
                continue
            self.needed.add(i.line)
            waiting += _locals(i) if i.opcode != "phi" else self._carry(i, steps)
        return steps

    def _carry(self, phi: Instr, steps: dict[int, int]) -> list[str]:
        """Write a phi that begins with a constant and goes on by itself alone; return what is
        next.
        """
        view, given = self.p.view, incoming(phi)
        a, b = self._loops_of(phi)
        after = view.definition(given[a.latch])
        plain = after is not None and set(_locals(after)) == {phi.name}
        require(plain and not isinstance(given[a.before], Local), "it carries more than it counts")
        assert after is not None
        first = view.block(b.header).instrs[0].line
        text = rename(phi.text.strip(), {a.before: b.before, a.latch: b.latch})
        self.before.setdefault(first, []).append(text)
        if b.latch != b.header:
            steps[after.line] = view.end(view.numbers[b.latch]).line
        return [after.name]

    def _loops_of(self, phi: Instr) -> tuple[Loop, Loop]:
        pairs = zip(self.p.first, self.p.later, strict=True)
        found = next((x for x in pairs if x[0].header == self.p.label(phi)), None)
        if found is None:
            raise Left("it makes a choice")
        return found

    def _place_of(self, i: Instr, pairs: Iterable[tuple[Loop, Loop]]) -> int:
        """Return before which line something is computed: the first load, or the end of the header
        of a loop around it.
        """
        found = [b for a, b in pairs if a.header == self.p.label(i)]
        require(bool(found), "something is computed between loops")
        if found[0] is self.p.later[-1]:
            return min(x.line for x in self.p.loads)
        return self.p.view.end(self.p.view.numbers[found[0].header]).line


def _name(o: object) -> str:
    """Return the name of a value that is packed."""
    if not isinstance(o, Local):
        raise Left("a constant is packed")
    return o.name


def _locals(i: Instr) -> list[str]:
    return [o.name for o in i.operands if isinstance(o, Local)]
