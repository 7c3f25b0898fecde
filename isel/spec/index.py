"""An index of a target's instructions: all that is needed to make them and to start a search,
without reading what they say.

Blocks of ``.sem`` text are read when the first lane of one of their instructions is asked for.  An
index is plain data and never decides anything: what it holds is what reading the texts gives.
"""

from __future__ import annotations

import contextlib
import gc
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from isel.ir.expr import Expr, const, postorder, term, var
from isel.places import cache_folder, key_path
from isel.spec.instruction import Immediate, Instruction, Membership, Operand, Predication, Role
from isel.spec.kept import (
    code_of,
    hash_of,
    path_of,
    read_kept,
    read_shipped,
    shipped,
    writable,
    write_kept,
)
from isel.spec.known import (
    Known,
    Permute,
    basis_of,
    first_lane,
    gather,
    is_enumerable,
    is_masked,
    likely_values,
    moves_only,
    packed,
    swizzles,
)
from isel.spec.lanes import LaneFunction
from isel.spec.permutes import read_permute
from isel.trust import signer_at, trusted

if TYPE_CHECKING:  # the reader of the language is loaded with the first block that is read
    from isel.spec.sem_family import Family

Sources = Sequence[tuple[str, str]]
_BLOCK = re.compile(r"^instruction ", re.MULTILINE)


class Row(NamedTuple):
    """One instruction; shapes, immediates, features, classes, stages and terms by their number
    in the tables of the index.
    """

    name: str
    mnemonic: str
    shape: int
    immediates: int
    result: tuple[int, int]
    features: int
    classes: int
    emission: list[str]
    call: str
    stage: int
    block: int
    bound: dict[str, int | str]
    first: int | None
    values: list[tuple[int, int | None]]
    gather: str | None
    enumerable: bool
    moves: bool
    swizzles: list[tuple[int, list[int]]]
    permute: tuple[list[int], list[list[int]]] | None


class CallRow(TypedDict):
    """A target intrinsic: the instruction by number, and its emission and immediates where they
    differ.
    """

    name: str
    instruction: int
    emission: list[str] | None
    immediates: int


class Data(TypedDict):
    """The whole index.

    ``terms`` are operator, attributes and operands, each after its operands; ``blocks`` are source,
    start and end.
    """

    terms: list[tuple[str, list[int | str], list[int]]]
    shapes: list[list[tuple[str, int, int, str]]]
    immediates: list[list[tuple[str, int, list[tuple[int, int]]]]]
    features: list[str]
    classes: list[list[tuple[str, list[tuple[int, ...]]]]]
    stages: list[tuple[str, str, str]]
    blocks: list[tuple[int, int, int]]
    rows: list[Row]
    calls: list[CallRow]


@dataclass(frozen=True, slots=True)
class Entries:
    """Instructions in order, and every target intrinsic with the instruction as its calls apply
    it.
    """

    instructions: tuple[Instruction, ...]
    calls: Mapping[str, Instruction]


def indexed(
    name: str,
    sources: Sources,
    inputs: Sequence[str],
    read: Callable[[], Entries],
    environment: Mapping[str, str],
    installed: Path | None = None,
) -> Entries:
    """Return a target's entries by the index ``installed`` with it, or by that kept in the user's
    cache directory, which is made where it is of no use.

    ``inputs`` are hashes of all that decides what ``read`` returns, but for this package.  Without
    a place to keep an index the entries are those that were read.
    """
    with _nothing_collected():
        key = _key(inputs)
        found = None if installed is None else _opened(read_shipped(installed, key), sources)
        return found or _indexed(
            name, sources, key, read, cache_folder(environment), key_path(environment)
        )


def packaged(entries: Entries, sources: Sources, inputs: Sequence[str]) -> bytes:
    """Return the content of an index to install."""
    return shipped(_key(inputs), made(entries, sources))


def _key(inputs: Sequence[str]) -> str:
    return hash_of(*(text.encode() for text in inputs), _code().encode())


def _opened(kept: object | None, sources: Sources) -> Entries | None:
    if kept is None:
        return None
    with contextlib.suppress(LookupError, TypeError, ValueError):
        return opened(cast(Data, kept), sources)
    return None


def _indexed(
    name: str,
    sources: Sources,
    key: str,
    read: Callable[[], Entries],
    folder: Path | None,
    secret: Path,
) -> Entries:
    if folder is None or not (writable(folder) or folder.is_dir()):
        return read()
    path = path_of(folder, name, key)
    signer = signer_at(secret) if trusted(folder, path) else None
    if signer is None:
        return read()
    kept = _opened(read_kept(path, key, signer), sources)
    if kept is not None:
        return kept
    entries = read()
    if not writable(folder):
        return entries
    data = made(entries, sources)
    write_kept(path, key, data, signer)
    return opened(data, sources)


@contextlib.contextmanager
def _nothing_collected() -> Iterator[None]:
    """Keep the garbage collector from visiting again and again what lives as long as the
    process.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@cache
def _code() -> str:
    here = Path(__file__).parent
    return code_of(
        *here.glob("*.py"),
        *(here.parent / "ir").glob("*.py"),
        *(here.parent / "interp").glob("*.py"),
    )


class _Terms:
    """Terms by number, operands before their users."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, list[int | str], list[int]]] = []
        self._number: dict[Expr, int] = {}

    def number(self, root: Expr) -> int:
        for e in postorder([root]):
            if e not in self._number:
                self._number[e] = len(self.rows)
                self.rows.append(
                    (
                        e.op,
                        [*e.attr, e.width] if e.is_leaf or e.is_const else list(e.attr),
                        [self._number[a] for a in e.args],
                    )
                )
        return self._number[root]

    def number_if(self, root: Expr | None) -> int | None:
        return None if root is None else self.number(root)


def made(entries: Entries, sources: Sources) -> Data:
    """Return the index of instructions that were read from ``sources``; evaluates their first
    lanes and their swizzles.
    """
    terms = _Terms()
    shapes: dict[tuple[Operand, ...], int] = {}
    immediates: dict[tuple[Immediate, ...], int] = {}
    features: dict[frozenset[str], int] = {}
    classes: dict[tuple[Membership, ...], int] = {}
    stages: dict[Predication, int] = {}
    blocks: dict[tuple[int, int, int], int] = {}
    starts = {
        name: (k, len(text), [m.start() for m in _BLOCK.finditer(text)])
        for k, (name, text) in enumerate(sources)
    }
    rows: list[Row] = []
    for i in entries.instructions:
        if not isinstance(i.lane, LaneFunction):
            raise TypeError(f"'{i.name}' was not read from a .sem file")
        place = _place(i.lane.family, starts)
        fixed, plain = not i.immediates, not is_masked(i)
        first = first_lane(i, ()) if fixed else None
        gathered = gather(i, ()) if fixed and plain and first is not None else None
        enumerable = plain and (gathered is not None if fixed else is_enumerable(i))
        moves = plain and (
            gathered is not None and first is not None and first.is_leaf if fixed else moves_only(i)
        )
        likely = likely_values(i) if enumerable and not moves and len(i.immediates) == 1 else ()
        rows.append(
            Row(
                name=i.name,
                mnemonic=i.mnemonic,
                shape=shapes.setdefault(i.operands, len(shapes)),
                immediates=immediates.setdefault(i.immediates, len(immediates)),
                result=(i.lanes, i.width),
                features=features.setdefault(i.features, len(features)),
                classes=classes.setdefault(i.classes, len(classes)),
                emission=list(i.emission),
                call=i.call,
                stage=stages.setdefault(i.predication, len(stages)),
                block=blocks.setdefault(place, len(blocks)),
                bound=i.lane.bound,
                first=terms.number_if(first),
                values=[
                    (v, terms.number_if(first_lane(i, ((i.immediates[0].name, v),))))
                    for v in likely
                ],
                gather=None if gathered is None else packed(gathered),
                enumerable=enumerable,
                moves=moves,
                swizzles=[
                    (value, list(basis_of(operand, index))) for value, operand, index in swizzles(i)
                ]
                if moves
                else [],
                permute=_lists(read_permute(i)) if plain else None,
            )
        )
    number = {i.name: k for k, i in enumerate(entries.instructions)}
    calls = [
        _call(name, i, entries.instructions[number[i.name]], number[i.name], immediates)
        for name, i in entries.calls.items()
    ]
    return Data(
        terms=terms.rows,
        shapes=[[(o.name, o.width, o.lanes, o.role.value) for o in shape] for shape in shapes],
        immediates=[[(m.name, m.width, _ranges(m.values)) for m in group] for group in immediates],
        features=[" ".join(sorted(f)) for f in features],
        classes=[[(m.name, list(m.settings)) for m in group] for group in classes],
        stages=[(p.kind, p.mask, p.source) for p in stages],
        blocks=list(blocks),
        rows=rows,
        calls=calls,
    )


def _lists(permute: Permute | None) -> tuple[list[int], list[list[int]]] | None:
    return None if permute is None else (list(permute.by_lane), [list(t) for t in permute.tables])


def _place(
    family: Family, starts: Mapping[str, tuple[int, int, list[int]]]
) -> tuple[int, int, int]:
    source, end, at = starts[family.file]
    k = bisect_right(at, family.name.at) - 1
    return source, at[k], at[k + 1] if k + 1 < len(at) else end


def _call(
    name: str,
    i: Instruction,
    plain: Instruction,
    number: int,
    immediates: dict[tuple[Immediate, ...], int],
) -> CallRow:
    same = i.emission == plain.emission and i.immediates == plain.immediates
    return CallRow(
        name=name,
        instruction=number,
        emission=None if same else list(i.emission),
        immediates=immediates.setdefault(i.immediates, len(immediates)),
    )


def _ranges(values: Sequence[int]) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    for v in values:
        if parts and v == parts[-1][1] + 1:
            parts[-1] = (parts[-1][0], v)
        else:
            parts.append((v, v))
    return parts


class _Tables(NamedTuple):
    """What rows refer to by number."""

    shapes: list[tuple[Operand, ...]]
    immediates: list[tuple[Immediate, ...]]
    features: list[frozenset[str]]
    classes: list[tuple[Membership, ...]]
    stages: list[Predication]
    blocks: list[Callable[[], Family]]
    terms: Callable[[int], Expr]


def opened(data: Data, sources: Sources) -> Entries:
    """Return the instructions of an index; raises what malformed data raise."""
    roles = {r.value: r for r in Role}
    family = _family(sources)
    tables = _Tables(
        shapes=[
            tuple(Operand(n, w, lanes, roles[role]) for n, w, lanes, role in shape)
            for shape in data["shapes"]
        ],
        immediates=[
            tuple(
                Immediate(
                    name, width, tuple(v for low, high in ranges for v in range(low, high + 1))
                )
                for name, width, ranges in group
            )
            for group in data["immediates"]
        ],
        features=[frozenset(text.split()) for text in data["features"]],
        classes=[
            tuple(Membership(name, tuple(tuple(s) for s in settings)) for name, settings in group)
            for group in data["classes"]
        ],
        stages=[Predication(*stage) for stage in data["stages"]],
        blocks=[partial(family, *place) for place in data["blocks"]],
        terms=_reader(data["terms"]),
    )
    found = tuple(_instruction(Row(*row), tables) for row in data["rows"])
    calls = {
        row["name"]: _called(row, found[row["instruction"]], tables.immediates)
        for row in data["calls"]
    }
    return Entries(found, calls)


def _instruction(row: Row, tables: _Tables) -> Instruction:
    lanes, width = row.result
    operands, stage = tables.shapes[row.shape], tables.stages[row.stage]
    swizzled = tuple((value, tuple(basis)) for value, basis in row.swizzles)
    permute = (
        None
        if row.permute is None
        else Permute(tuple(row.permute[0]), tuple(tuple(t) for t in row.permute[1]))
    )
    known = Known(
        tables.terms,
        row.first,
        dict(row.values),
        row.gather,
        row.enumerable,
        row.moves,
        swizzled,
        permute,
    )
    return Instruction(
        name=row.name,
        mnemonic=row.mnemonic,
        operands=operands,
        immediates=tables.immediates[row.immediates],
        width=width,
        lanes=lanes,
        features=tables.features[row.features],
        emission=tuple(row.emission),
        call=row.call,
        lane=LaneFunction(
            tables.blocks[row.block], row.bound, width, lanes, operands, stage, known
        ),
        predication=stage,
        classes=tables.classes[row.classes],
    )


def _called(
    row: CallRow, i: Instruction, immediates: Sequence[tuple[Immediate, ...]]
) -> Instruction:
    if row["emission"] is None:
        return i
    return replace(
        i,
        immediates=immediates[row["immediates"]],
        emission=tuple(row["emission"]),
        call=row["name"],
    )


def _family(sources: Sources) -> Callable[[int, int, int], Family]:
    @cache
    def read(source: int, start: int, end: int) -> Family:
        from isel.spec.sem import read_block

        name, text = sources[source]
        return read_block(text[start:end], name)

    return read


def _reader(
    rows: Sequence[tuple[str, Sequence[int | str], Sequence[int]]],
) -> Callable[[int], Expr]:
    done: dict[int, Expr] = {}

    def read(n: int) -> Expr:
        stack = [n]
        while stack:
            k = stack[-1]
            op, attr, args = rows[k]
            todo = [a for a in args if a not in done]
            if k in done or not todo:
                stack.pop()
                done.setdefault(k, _term(op, attr, [done[a] for a in args]))
            else:
                stack.extend(todo)
        return done[n]

    return read


def _term(op: str, attr: Sequence[int | str], args: Sequence[Expr]) -> Expr:
    if op == "const":
        return const(int(attr[0]), int(attr[1]))
    if op == "var":
        return var(str(attr[0]), int(attr[1]))
    return term(op, *args, attr=tuple(attr))
