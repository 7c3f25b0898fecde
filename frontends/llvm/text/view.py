"""A function looked at from all sides: what defines and uses a value, which blocks follow, dominate
and go round.

Each look is made once a function, when it is first asked for; whoever changes a function
(:mod:`frontends.llvm.text.edits`) gets another one.  Blocks are numbered in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from typing import Final

from frontends.llvm.text.syntax import LABELS, Block, Instr, Local, Operand, OtherType, Symbol
from isel.cost.loops import dominators, loop_depths, loops_of, reach

_PLAIN: Final = frozenset({"br", "switch", "indirectbr"})


class View:
    """The instructions of a function by name, place and use, and its control flow."""

    def __init__(
        self,
        blocks: Sequence[Block],
        users: Mapping[str, tuple[Instr, ...]] | None = None,
        arguments: Sequence[str] = (),
    ) -> None:
        """Where ``users`` are given, these use the values.  Raises ``AssertionError`` where two of
        arguments, blocks and values have one name, which LLVM lets no user write.
        """
        self.blocks = tuple(blocks)
        self._given = users
        names = [*arguments, *(b.label for b in blocks), *(i.name for i in self if i.name)]
        self.names = frozenset(names)
        if len(self.names) < len(names):
            raise AssertionError(f"two definitions of %{max(names, key=names.count)}")

    def free_names(self, stem: str = "isel") -> Iterator[str]:
        """Yield names that no argument, block or value has: ``stem`` and a number, of which labels
        of ours may be made as well.
        """

        def numbers(begin: str) -> set[str]:
            behind = (x.removeprefix(begin) for x in self.names if x.startswith(begin))
            return {x.partition(".")[0] for x in behind}

        own = numbers(f"{stem}.")
        first = max((int(n) + 1 for n in own if n.isdecimal() and len(n) < 10), default=0)
        taken = own.union(*map(numbers, LABELS))
        return (f"{stem}.{n}" for n in count(first) if str(n) not in taken)

    def __iter__(self) -> Iterator[Instr]:
        """Yield every instruction in program order, debug records among them."""
        return (i for block in self.blocks for i in block.instrs)

    @cached_property
    def work(self) -> tuple[Instr, ...]:
        """The instructions in program order, without debug records."""
        return tuple(i for i in self if i.opcode != "dbg")

    @cached_property
    def defs(self) -> Mapping[str, Instr]:
        """The instruction that gives each value, in program order."""
        return {i.name: i for i in self if i.name}

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The block of each instruction, by its line."""
        return {i.line: k for k, block in enumerate(self.blocks) for i in block.instrs}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each block, by its label."""
        return {block.label: k for k, block in enumerate(self.blocks)}

    @cached_property
    def users(self) -> Mapping[str, tuple[Instr, ...]]:
        """The instructions that use each value, each once, without debug records."""
        if self._given is not None:
            return self._given
        found: dict[str, list[Instr]] = {}
        for i in self.work:  # debug records follow what happens to a value, they do not keep it
            for name in dict.fromkeys(o.name for o in i.operands if isinstance(o, Local)):
                found.setdefault(name, []).append(i)
        return {name: tuple(users) for name, users in found.items()}

    @cached_property
    def _alike(self) -> Mapping[tuple[Operand, ...], str]:
        steps = [i for i in self if i.opcode == "getelementptr" and i.known]
        return {i.operands: i.name for i in reversed(steps)}

    def first(self, pointer: str) -> str:
        """Return the first pointer that is computed as another one is, whatever flags say of them:
        what is loaded from is no poison.
        """
        i = self.defs.get(pointer)
        moved = i is not None and i.opcode == "getelementptr"
        return self._alike.get(i.operands, pointer) if i and moved else pointer

    def definition(self, o: Operand | None) -> Instr | None:
        """Return the instruction that gives an operand, None of arguments and constants."""
        return self.defs.get(o.name) if isinstance(o, Local) else None

    def used_by(self, name: str) -> tuple[Instr, ...]:
        """Return the instructions that use a value."""
        return self.users.get(name, ())

    def place(self, name: str) -> int:
        """Return the block of an instruction that gives a value."""
        return self.places[self.defs[name].line]

    def label(self, name: str) -> str:
        """Return the label of the block of an instruction that gives a value."""
        return self.blocks[self.place(name)].label

    def around(self, i: Instr) -> tuple[int, ...]:
        """Return the blocks of the innermost loop around an instruction, or its block."""
        own = self.places[i.line]
        loops = loops_of(dict(enumerate(self.successors)))
        return next((blocks for blocks in reversed(loops) if own in blocks), (own,))

    def block(self, label: str) -> Block:
        """Return the block of a label."""
        return self.blocks[self.numbers[label]]

    def end(self, block: int) -> Instr:
        """Return the last instruction of a block."""
        return next(i for i in reversed(self.blocks[block].instrs) if i.opcode != "dbg")

    @cached_property
    def successors(self) -> Sequence[tuple[int, ...]]:
        """The blocks that may follow each block, each once, in the order of its end's text."""
        ends = (labels(self.end(k)) if b.instrs else [] for k, b in enumerate(self.blocks))
        known = ([self.numbers[x] for x in end if x in self.numbers] for end in ends)
        return [tuple(dict.fromkeys(x)) for x in known]

    @cached_property
    def predecessors(self) -> Sequence[tuple[int, ...]]:
        """The blocks that each block may follow."""
        found: list[list[int]] = [[] for _ in self.blocks]
        for k, following in enumerate(self.successors):
            for s in following:
                found[s].append(k)
        return [tuple(x) for x in found]

    @cached_property
    def after(self) -> Sequence[frozenset[int]]:
        """The blocks that some path from each block leads to."""
        return [frozenset(reach(x, self.successors.__getitem__)) for x in self.successors]

    def together(self, a: int, b: int) -> bool:
        """Tell whether two blocks, or one, lie on a cycle."""
        return b in self.after[a] and a in self.after[b]

    @cached_property
    def depths(self) -> Sequence[int]:
        """How many loops are around each block."""
        return loop_depths(dict(enumerate(self.successors)))

    @cached_property
    def _above(self) -> Sequence[int | None]:
        return dominators(self.successors)

    def dominates(self, upper: int, lower: int) -> bool:
        """Tell whether every path to ``lower`` goes through ``upper``."""
        at: int | None = lower
        while at is not None and at != upper:
            at = self._above[at]
        return at == upper

    @cached_property
    def homes(self) -> Sequence[int | None]:
        """The last block that dominates each block and lies in fewer loops, None where there is
        none or nothing can be added at its end.
        """
        return [self._home(block) for block in range(len(self.blocks))]

    def _home(self, block: int) -> int | None:
        depth = self.depths[block]
        at = self._above[block]
        while at is not None and self.depths[at] >= depth:
            at = self._above[at]
        return at if depth and at is not None and self.end(at).opcode in _PLAIN else None


def labels(end: Instr) -> list[str]:
    """Return the blocks that an instruction at the end of a block goes to, in the order of its
    text.
    """
    return [
        o.text.removeprefix("%")
        for o in end.operands
        if isinstance(o, Symbol) and o.type == OtherType("label")
    ]


def phis_of(block: Block) -> list[Instr]:
    """Return the phis of a block."""
    return [i for i in block.instrs if i.opcode == "phi"]


def incoming(phi: Instr) -> dict[str, Operand]:
    """Return what a phi gets by the block that it comes from."""
    pairs = zip(phi.operands[::2], phi.operands[1::2], strict=True)
    return {x.text[1:]: o for o, x in pairs if isinstance(x, Symbol)}
