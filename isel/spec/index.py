"""An index of a target's instructions: all that is needed to make them and to start a search,
without reading what they say.

Blocks of ``.sem`` text are read when the first lane of one of their instructions is asked for.  An
index is plain data and never decides anything: what it holds is what reading the texts gives.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from isel.ir.expr import Expr, const, term, var
from isel.places import cache_folder, key_path
from isel.spec.index_made import made
from isel.spec.index_rows import CallRow, Data, Entries, Row, Sources
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
from isel.spec.known import Known, Permute
from isel.spec.lanes import LaneFunction
from isel.trust import signer_at, trusted

if TYPE_CHECKING:  # the reader of the language is loaded with the first block that is read
    from isel.spec.sem_block import Family


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
    rooms = (here, here.parent / "ir", here.parent / "interp")
    return code_of(*(file for room in rooms for file in room.glob("*.py")))


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
    permute = None
    if row.permute is not None:
        permute = Permute(tuple(row.permute[0]), tuple(tuple(t) for t in row.permute[1]))
    told = (row.first, dict(row.values), row.gather, row.enumerable, row.moves)
    known = Known(tables.terms, *told, swizzled, permute)
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
    own, emission = immediates[row["immediates"]], tuple(row["emission"])
    return replace(i, immediates=own, emission=emission, call=row["name"])


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
