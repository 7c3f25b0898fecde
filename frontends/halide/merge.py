"""Sliced vectors put together again: loads, stores, loop-carried values and arithmetic in pieces.

Code generators that know only narrow registers load a wide vector in pieces and join them by
shuffles, and store it in pieces again; values kept across a loop become one phi a piece.  LLVM
never joins them, which hides whole windows from anything that looks at a vector at a time.

A tuple of pieces is *assembled* into one wide value where that costs nothing: slices of one vector
are that vector, neighbouring loads are one load, phis are one phi, lane-wise operations are one
operation on assembled operands.  Whatever cannot be assembled stays as it was.  Every new value has
a name of its own and takes its place through an identity shuffle, so nothing else of the text
changes; LLVM's cleanup removes what is then dead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from frontends.halide.merge_text import (
    INTRINSIC,
    as_shuffle,
    attachments,
)
from frontends.halide.pieces import Access, Lane, Scene
from frontends.llvm.linked import binding
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, Literal, Local, Module, Operand, VectorType
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.rewording import spell

_ROUNDS: Final = 3
_SLICE: Final = 128  # bits of the registers that slicing is for
_CAP: Final = 4096  # bits of the widest vector that is made
_LANE_WISE: Final = frozenset((
    "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
    "fadd", "fsub", "fmul", "fdiv", "zext", "sext", "trunc", "fptrunc", "fpext", "fptoui", "fptosi",
    "uitofp", "sitofp", "icmp", "fcmp", "select", "freeze", "fneg",
))  # fmt: skip


def merge_slices(text: str, file: str = "<stdin>") -> str:
    """Return a module with its sliced vectors whole again, cleaned up by LLVM; the text of a module
    goes in.

    Raises :class:`isel.errors.BadModule` for text that is no module.
    """
    text = binding.tidy(text, file)
    for _ in range(_ROUNDS):
        merged = merge_once(text)
        if merged == text:
            break
        text = binding.tidy(merged, file)
    return text


def merge_once(text: str) -> str:
    """Return the text, as LLVM printed it, with what can be assembled assembled, and nothing
    cleaned up.
    """
    module = parse_module(text)
    edits = [edit for f in module.functions for edit in _Merger(f, module).edits()]
    return _edited(module, edits) if edits else text


@dataclass(frozen=True, slots=True)
class _Edit:
    """New lines before a line; with ``replaces`` the line itself goes."""

    line: int
    lines: tuple[str, ...]
    replaces: bool = False


def _edited(module: Module, edits: Sequence[_Edit]) -> str:
    before: dict[int, list[str]] = {}
    gone = {e.line for e in edits if e.replaces}
    for e in sorted(edits, key=lambda e: e.replaces):  # what a line needs, then the line
        before.setdefault(e.line, []).extend(e.lines)
    out: list[str] = []
    for k, line in enumerate(module.lines):
        out.extend(before.get(k, ()))
        if k not in gone:
            out.append(line)
    return "\n".join(out) + "\n"


class _Merger:
    """One function on its way to whole vectors."""

    def __init__(self, function: Function, module: Module) -> None:
        self._scene = Scene(function, module)
        self._function = function
        self._edits: list[_Edit] = []
        self._made: dict[tuple[str, ...], Local] = {}
        self._count = 0

    def edits(self) -> list[_Edit]:
        """Assemble every joined and every stored vector."""
        for block in self._function.blocks:
            for instr in block.instrs:
                if instr.opcode == "shufflevector" and instr.known and not self._inner(instr):
                    self._join(instr)
            stored = (self._scene.access(i) for i in block.instrs if i.opcode == "store")
            self._stores([a for a in stored if a is not None])
        return self._edits

    def _inner(self, instr: Instr) -> bool:
        """Tell whether a shuffle is read by shuffles only."""
        users = self._scene.view.used_by(instr.name)
        return bool(users) and all(u.opcode == "shufflevector" for u in users)

    # What is assembled for what.

    def _join(self, root: Instr) -> None:
        """Let a shuffle of several pieces read one assembled vector, or two."""
        lanes = self._scene.lanes(Local(root.name, root.type))
        pieces = tuple(
            dict.fromkeys(x[0] for x in lanes if x is not None and isinstance(x[0], Local))
        )
        if not pieces or any(x is not None and not isinstance(x[0], Local) for x in lanes):
            return
        ways = [[pieces]] if len(pieces) > 1 and _end_to_end(lanes, pieces) else []
        if len(pieces) <= 2 and not set(pieces) & set(root.operands):
            ways += [[(p,) for p in pieces]] if _end_to_end(lanes, pieces) else []
        if len(pieces) > 1 and all(self._is_slice(p) for p in pieces):
            runs = self._runs(pieces)
            ways += [runs] if len(runs) < len(pieces) else []
        for groups in ways:
            wholes = [self._attempt(g) if len(g) > 1 else g[0] for g in groups]
            found = [w for w in wholes if w is not None]
            if len(groups) <= 2 and len(found) == len(groups) and len({w.type for w in found}) == 1:
                line = as_shuffle(root, lanes, groups, found)
                self._edits.append(_Edit(root.line, (line,), replaces=True))
                return

    def _is_slice(self, piece: Operand) -> bool:
        """Tell whether a piece is a load no wider than what code is sliced into."""
        access = self._scene.access(self._scene.definition(piece))
        return access is not None and 8 * access.size <= _SLICE

    def _runs(self, pieces: Sequence[Local]) -> list[tuple[Local, ...]]:
        """Return loads in groups that are neighbours in memory, each in the order of addresses."""
        groups: list[list[tuple[int, Local, Access]]] = []
        for p in pieces:
            access = self._scene.access(self._scene.definition(p))
            assert access is not None
            for g in groups:
                at = g[0][2].address.gap(access.address)
                if at is not None:
                    g.append((at, p, access))
                    break
            else:
                groups.append([(0, p, access)])
        return [run for g in groups for run in _neighbours(sorted(g, key=lambda x: x[0]))]

    def _stores(self, accesses: Sequence[Access]) -> None:
        """Store assembled vectors in place of runs of neighbouring pieces."""
        done: set[int] = set()
        for a in sorted(accesses, key=lambda x: (x.address.line, x.address.offset)):
            if a.instr.line in done:
                continue
            run = self._run(a, [x for x in accesses if x.instr.line not in done])
            for n in range(len(run), 1, -1):
                if self._store(run[:n]):
                    done.update(x.instr.line for x in run[:n])
                    break

    def _run(self, first: Access, accesses: Sequence[Access]) -> list[Access]:
        found, end = [first], first.size
        alike = [x for x in accesses if _element(x) == _element(first)]
        while True:
            next_ = (x for x in alike if first.address.gap(x.address) == end)
            more = next(next_, None)
            if more is None:
                return found
            found.append(more)
            end += more.size

    def _store(self, run: Sequence[Access]) -> bool:
        if not self._scene.may_join(run):
            return False
        values = tuple(x.instr.operands[0] for x in run)
        whole = None if all(isinstance(v, Literal) for v in values) else self._attempt(values)
        if whole is None:
            return False
        low = run[0].instr
        attached = attachments([x.instr for x in run])
        line = f"  {build.store(whole, low.operands[1], low.align)}{attached}"
        last = max(x.instr.line for x in run)
        for x in run:
            lines = (line,) if x.instr.line == last else ()
            self._edits.append(_Edit(x.instr.line, lines, replaces=True))
        return True

    # Assembly.

    def _attempt(self, pieces: Sequence[Operand]) -> Local | None:
        """Assemble, or leave no trace."""
        edits, made = len(self._edits), dict(self._made)
        whole = self._assemble(tuple(pieces))
        if not isinstance(whole, Local):
            del self._edits[edits:]
            self._made = made
            return None
        return whole

    def _assemble(self, given: tuple[Operand, ...]) -> Operand | None:
        pieces = tuple(map(self._scene.whole, given))
        kind = self._joined(pieces)
        if kind is None:
            return None
        if all(isinstance(p, Literal) for p in pieces):
            lanes = (x for p in pieces if isinstance(p, Literal) for x in p.lanes)
            return Literal(kind, tuple(lanes))
        slices = self._slices(pieces, kind)
        if slices is not None:
            return slices
        key = tuple(spell(p) for p in pieces)
        if key in self._made:
            return self._made[key]
        steps = [self._scene.definition(p) for p in pieces]
        known = [s for s in steps if s is not None and s.known]
        blocks, lines = {self._scene.view.place(s.name) for s in known}, {s.line for s in known}
        if len(lines) < len(pieces) or len(blocks) > 1:
            return None
        opcodes = {s.opcode for s in known}
        if opcodes == {"load"}:
            return self._load(key, known, kind)
        if opcodes == {"phi"}:
            return self._phi(key, known, kind)
        if len(opcodes) == 1 and (opcodes <= _LANE_WISE or opcodes == {"call"}):
            return self._operation(key, known, kind)
        return None

    def _joined(self, pieces: Sequence[Operand]) -> VectorType | None:
        """Return the type of all pieces together, None if they do not fit or would be too wide."""
        kinds = [p.type for p in pieces if isinstance(p.type, VectorType)]
        if len(kinds) < len(pieces) or len({k.elem for k in kinds}) != 1:
            return None
        whole = VectorType(sum(k.count for k in kinds), kinds[0].elem)
        return whole if self._scene.bits(whole) <= _CAP else None

    def _slices(self, pieces: Sequence[Operand], kind: VectorType) -> Operand | None:
        """Return the vector whose lanes the pieces are, in order."""
        lanes = [x for p in pieces for x in self._scene.lanes(p)]
        first = lanes[0]
        if (
            first is None
            or first[0].type != kind
            or any(x is None or x[0] != first[0] or x[1] != k for k, x in enumerate(lanes))
        ):
            return None
        return first[0]

    def _new(self, key: tuple[str, ...], kind: VectorType) -> Local:
        while f"isel.whole.{self._count}" in self._scene.view.defs:
            self._count += 1
        made = self._made[key] = Local(f"isel.whole.{self._count}", kind)
        self._count += 1
        return made

    def _load(self, key: tuple[str, ...], steps: Sequence[Instr], kind: VectorType) -> Local | None:
        accesses = [a for s in steps if (a := self._scene.access(s)) is not None]
        if len(accesses) < len(steps):
            return None
        at = 0
        for a in accesses:
            if accesses[0].address.gap(a.address) != at:
                return None
            at += a.size
        if not self._scene.may_join(accesses):
            return None
        low = steps[0]
        made = self._new(key, kind)
        load = build.load(kind, low.operands[0], low.align, attachments(steps))
        line = f"  {load.line(made.name)}"
        self._edits.append(_Edit(low.line, (line,)))
        return made

    def _phi(self, key: tuple[str, ...], steps: Sequence[Instr], kind: VectorType) -> Local | None:
        incoming = [
            {spell(x): value for value, x in zip(s.operands[::2], s.operands[1::2], strict=True)}
            for s in steps
        ]
        labels = [spell(x) for x in steps[0].operands[1::2]]
        if any(set(x) != set(labels) for x in incoming):
            return None
        made = self._new(key, kind)  # before its incoming values, which may depend on it
        values: list[tuple[str, str]] = []
        for label in labels:
            value = self._assemble(tuple(x[label] for x in incoming))
            if value is None:
                return None
            values.append((spell(value), label[1:]))
        block = self._function.blocks[self._scene.view.place(steps[0].name)]
        line = f"  {build.phi(kind, values).line(made.name)}"
        self._edits.append(_Edit(block.instrs[0].line, (line,)))
        return made

    def _operation(
        self, key: tuple[str, ...], steps: Sequence[Instr], kind: VectorType
    ) -> Local | None:
        last = max(steps, key=lambda s: s.line)
        shapes = {
            (build.said_of(s), len(s.operands), s.predicate, INTRINSIC.sub(r"\1", s.callee))
            for s in steps
        }
        if len(shapes) > 1 or (last.opcode == "call" and INTRINSIC.match(last.callee) is None):
            return None
        columns = [self._column(x) for x in zip(*(s.operands for s in steps), strict=True)]
        operands = [x for x in columns if x is not None]
        if len(operands) < len(columns):
            return None
        made = self._new(key, kind)
        line = f"  {build.like(last, operands, kind).line(made.name)}"
        self._edits.append(_Edit(last.line, (line,)))
        return made

    def _column(self, column: tuple[Operand, ...]) -> Operand | None:
        """Assemble what the pieces have as one operand; a scalar (an intrinsic's flag) must be
        the same everywhere.
        """
        if all(isinstance(x.type, VectorType) for x in column):
            return self._assemble(column)
        return column[0] if len(set(column)) == 1 and isinstance(column[0], Literal) else None


def _neighbours(sorted_: Sequence[tuple[int, Local, Access]]) -> Iterator[tuple[Local, ...]]:
    run: list[Local] = []
    end = 0
    for start, piece, access in sorted_:
        if run and start != end:
            yield tuple(run)
            run = []
        run.append(piece)
        end = start + access.size
    yield tuple(run)


def _end_to_end(lanes: Sequence[Lane], pieces: Sequence[Operand]) -> bool:
    """Tell whether the lanes are those of the pieces, one after the other, perhaps with poison
    behind them.
    """
    wanted = [(p, k) for p in pieces if isinstance(p.type, VectorType) for k in range(p.type.count)]
    return list(lanes[: len(wanted)]) == wanted and not any(lanes[len(wanted) :])


def _element(access: Access) -> str:
    kind = access.instr.operands[0].type
    return str(kind.elem) if isinstance(kind, VectorType) else ""
