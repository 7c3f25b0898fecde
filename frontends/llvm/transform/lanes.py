"""The passes of a loop as lanes of vectors: lines in place of those of a block that does all of the
passes (:mod:`frontends.llvm.transform.straight`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from frontends.llvm.function.graph import INTEGERS
from frontends.llvm.meaning.intrinsics import LANEWISE
from frontends.llvm.passes.blocks import outputs
from frontends.llvm.passes.left import require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Literal, Local, Operand, Type, VectorType
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.moves import origin
from frontends.llvm.text.rewording import locals_in
from frontends.llvm.text.syntax import element, intrinsic_of, shape_of
from frontends.llvm.transform.straight import Straight

_MOVES: Final = ("shufflevector", "insertelement", "extractelement")
_WHOLE: Final = (*INTEGERS, "freeze", "udiv", "sdiv", "urem", "srem")

# A lane of a value of the loop, and the pass in which it has it; a constant has it in all.
_Lane: TypeAlias = tuple[Operand, int, int]
# The extent that a load is in, by its id, and how far it is from where it is in the first pass.
_Way: TypeAlias = tuple[tuple[int, int], ...]


class Lanes:
    """Writes the vectors of a loop to ``lines``."""

    def __init__(self, s: Straight, names: Iterator[str]) -> None:
        self._s = s
        self._outs = {i.name for i in outputs(s.view, s.view.block(s.loop.header).instrs)}
        self._body = [i for i in s.view.block(s.loop.header).instrs if i.name and i.opcode != "phi"]
        self._count = len(s.loop.numbers)
        self.lines = Lines(names)
        self._vectors: dict[tuple[str, int], Operand] = {}  # by value of the loop and its lane
        self._splats: dict[Operand, Local] = {}
        self._rows: dict[tuple[tuple[Operand, int], ...], list[Operand]] = {}
        self._defs = s.graph.function.view.defs
        self._late = _names_of(s)
        self._home = {
            c[i.name]: (i.name, n)
            for n, c in enumerate(s.copies)
            for i in self._body
            if i.name in c
        }

    def write(self) -> list[str]:
        """Return the lines; raise :class:`Left` where there are none."""
        body = [i for i in self._body if i.name in self._late]
        self._load([i for i in body if i.opcode == "load" and self._read_again(i) is None])
        for i in body:
            if (i.name, 0) not in self._vectors:
                self._vectors.update(((i.name, k), v) for k, v in enumerate(self._compute(i)))
        self._store()
        return [*self._early(), *self.lines.lines]

    def _early(self) -> Iterator[str]:
        """Yield the lines before loads that something is computed from."""
        require(self._outs.isdisjoint(self._late), "what it computes is used behind it")
        used = {*self._outs}.union(*(locals_in(x) for x in self.lines.lines))
        kept = list[str]()
        for line in reversed(self._s.early):
            name, *of = locals_in(line)
            if name in used:
                used.update(of)
                kept.append(line)
        return reversed(kept)

    def _kind(self, kind: Type) -> VectorType:
        """Return the type of as many values of the type of a lane as there are passes."""
        return VectorType(self._count, _integer(kind))

    # Loads.

    def _load(self, loads: Sequence[Instr]) -> None:
        """Write loads: neighbours in all passes as a vector, neighbours in each pass as rows."""
        tracks = dict[tuple[str, _Way], list[tuple[int, Instr]]]()
        for i in loads:
            places = [self._place(i, n) for n in range(self._count)]
            way = tuple((id(e), low - places[0][1]) for e, low in places)
            tracks.setdefault((str(i.type), way), []).append((places[0][1], i))
        for (_, way), track in tracks.items():
            size = _integer(track[0][1].type).bits // 8
            near = way in tuple(
                tuple((way[0][0], n * k) for n in range(len(way))) for k in (0, size)
            )
            (self._load_alone if near else self._load_rows)(track)

    def _load_alone(self, track: Sequence[tuple[int, Instr]]) -> None:
        """Write loads of one value in all passes, or of neighbours."""
        known = dict[int, Operand]()
        for at, i in track:
            if at not in known:
                same = self._place(i, 0) == self._place(i, 1)
                loaded = self._write_load(i, i.type if same else self._kind(i.type), 0)
                known[at] = self._splat(loaded) if same else loaded
            self._vectors[i.name, 0] = known[at]

    def _load_rows(self, track: Sequence[tuple[int, Instr]]) -> None:
        """Write loads that lie in each pass at the same distances from each other."""
        size = _integer(track[0][1].type).bits // 8
        by_place = dict[int, list[Instr]]()
        for at, i in track:
            by_place.setdefault(at, []).append(i)
        left = sorted(by_place)
        while left:
            run = [at for n, at in enumerate(left) if at == left[0] + n * size]
            run = run[: 1 << (len(run).bit_length() - 1)]
            first = by_place[run[0]][0]
            kind = VectorType(len(run), _integer(first.type)) if run[1:] else first.type
            loaded = [self._write_load(first, kind, n) for n in range(self._count)]
            columns = self.lines.transpose(loaded)
            for at, column in zip(run, columns, strict=True):
                self._vectors.update(((i.name, 0), column) for i in by_place[at])
            left = left[len(run) :]

    def _read_again(self, load: Instr) -> Local | None:
        """Return the value that a pass has stored where it loads, None where it loads what was
        there.
        """
        names = [self._s.disjoint.names.get(c[load.name], "") for c in self._s.copies]
        values = [self._home.get(x, ("", -1)) for x in names]
        if not any(names):
            return None
        same = values == [(values[0][0], n) for n in range(self._count)]
        require(same, "it reads what another pass wrote")
        return Local(values[0][0], load.type)

    def _place(self, i: Instr, n: int) -> tuple[object, int]:
        """Return the extent and the first byte of a load in a pass."""
        extent, low, _ = self._s.extents.slots[self._copy(i, n).line]
        return extent, low

    def _copy(self, i: Instr, n: int) -> Instr:
        return self._defs[self._s.copies[n][i.name]]

    def _write_load(self, i: Instr, kind: Type, n: int) -> Local:
        """Write a load in a pass, and return what is frozen of it."""
        copy = self._copy(i, n)
        loaded = self.lines.add(build.load(kind, copy.operands[0], copy.align))
        return self.lines.add(build.freeze(loaded))

    # What is computed.

    def _compute(self, i: Instr) -> list[Operand]:
        """Return the vectors of what an instruction gives, one for each of its lanes."""
        again = self._read_again(i) if i.opcode == "load" else None
        if again is not None:
            return [self._vector(again, 0)]
        lanes = shape_of(i.type)[0] or 1
        if i.opcode in _MOVES:
            return [self._vector(*self._source(i, k)) for k in range(lanes)]
        able = i.opcode in _WHOLE or bool(intrinsic_of(i))
        require(able, f"'{i.opcode}' is not done lane by lane")
        return [self._one(i, k) for k in range(lanes)]

    def _source(self, i: Instr, lane: int) -> tuple[Operand, int]:
        """Return what a lane of an instruction is that moves them."""
        found = origin(i, lane)
        require(bool(found or i.mask), "a lane is not known")
        return found or (Literal(_integer(i.type), ("poison",)), 0)

    def _one(self, i: Instr, lane: int) -> Operand:
        """Write what computes a lane of an instruction in all passes."""
        if i.opcode == "call":
            return self._call(i, lane)
        given, kind = [self._vector(o, lane) for o in i.operands], self._kind(i.type)
        same = i.opcode != "bitcast" or kind == given[0].type
        require(same, "it takes bits for lanes of another size")
        return self.lines.add(build.like(i, given, kind))

    def _call(self, i: Instr, lane: int) -> Operand:
        name = intrinsic_of(i)
        vectors, kind = LANEWISE[name][0] if name in LANEWISE else 0, self._kind(i.type)
        alike = vectors and all(self._kind(o.type) == kind for o in i.operands[:vectors])
        require(bool(alike), f"'{i.callee}' is not done lane by lane")
        given = [self._vector(o, lane) for o in i.operands[:vectors]]
        return self.lines.call(name, [*given, *i.operands[vectors:]])

    def _vector(self, o: Operand, lane: int) -> Operand:
        """Return a lane of an operand in all passes."""
        k = lane if isinstance(o.type, VectorType) else 0
        if isinstance(o, Literal):
            return Literal(self._kind(o.type), (o.lanes[k],) * self._count)
        require(isinstance(o, Local), "it computes with a constant expression")
        assert isinstance(o, Local)
        if (o.name, k) in self._vectors:
            return self._vectors[o.name, k]
        require(o.name not in self._late, "it carries what it computes")
        require(isinstance(o.type, IntType), "it takes lanes from elsewhere")
        if o.name not in self._s.copies[0]:
            return self._splat(self._freeze(o))
        given = [Local(c[o.name], o.type) for c in self._s.copies]
        self._vectors[o.name, 0] = self.lines.gather([self._freeze(x) for x in given])
        return self._vectors[o.name, 0]

    def _freeze(self, o: Local) -> Local:
        if o not in self._splats:
            self._splats[o] = self.lines.add(build.freeze(o))
        return self._splats[o]

    def _splat(self, value: Operand) -> Operand:
        return self.lines.gather([value] * self._count)

    # Stores.

    def _store(self) -> None:
        for row in self._s.disjoint.rows:
            place, align = row[0].operands[1], row[0].align
            lanes = [x for i in row for x in self._lanes(i.operands[0])]
            self.lines.lines.append(build.store(self._write_lanes(lanes), place, align))

    def _lanes(self, o: Operand) -> Iterator[_Lane]:
        """Yield what is stored, lane by lane."""
        n = -1
        if isinstance(o, Local):
            name = self._s.disjoint.names.get(o.name, o.name)
            name, n = self._home.get(name, (name, n))
            o = Local(name, o.type)
        yield from ((o, k, n) for k in range(shape_of(o.type)[0]))

    def _write_lanes(self, lanes: Sequence[_Lane]) -> Operand:
        """Return a vector of lanes: of one value in passes that follow each other, or of several
        in one pass.
        """
        passes = [n for _, _, n in lanes]
        values = [(o, k) for o, k, _ in lanes]
        first = max(passes[0], 0)
        if len(set(values)) == 1 and passes in (
            [first + n for n in range(len(lanes))],
            [-1] * len(lanes),
        ):
            return self.lines.slice(self._vector(*values[0]), first, len(lanes))
        known = set(passes) - {-1}
        require(len(known) == 1, "what it stores is neither a row nor a column of its passes")
        key = tuple(values)
        if key not in self._rows:
            columns = [self._vector(*x) for x in values]
            self._rows[key] = self.lines.transpose(columns)
        return self._rows[key][known.pop()]


def _names_of(s: Straight) -> set[str]:
    """Return the values of a loop that some pass has only when it has loaded."""
    late = {i.name for i in s.extents.late}
    return {x for c in s.copies for x, y in c.items() if y in late}


def _integer(kind: Type) -> IntType:
    of = element(kind)
    require(isinstance(of, IntType), "it computes with something else than integers")
    assert isinstance(of, IntType)
    return of
