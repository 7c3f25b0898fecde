"""The price table of one CPU: a row per instruction form, and how its text form is read.

As text, forms of one price share rows: a row holds every form of one of its mnemonics (between
``|``) with one of its operand lists (between blanks).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from isel.cost.ports import Usage, port_bound
from isel.errors import SyntaxProblem

T = TypeVar("T", bound="Scheduler | Forwarding")
PORT_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
SPLITS = ("load", "store", "whole load", "whole store")
COLUMNS = ("mnemonics", "operands", "uops", "latency", "throughput", "ports")


@dataclass(frozen=True, slots=True)
class Forwarded:
    """An accumulator that arrives ``latency`` cycles before the result, where what wrote it is
    of the same ``kind``.
    """

    kind: str
    latency: int


@dataclass(frozen=True, slots=True)
class Price:
    """What one instruction form costs: micro-operations, latency and reciprocal throughput in
    cycles, port use.

    The latency is that from every operand but a forwarded accumulator.
    """

    uops: int
    latency: int
    throughput: float
    usages: tuple[Usage, ...]
    forwarded: Forwarded | None = None


@dataclass(frozen=True, slots=True)
class Split:
    """What a load and a store that touch two cache lines use beyond their own prices, those of a
    whole line as well, and who says so.
    """

    load: tuple[Usage, ...]
    store: tuple[Usage, ...]
    whole_load: tuple[Usage, ...]
    whole_store: tuple[Usage, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Closed:
    """Ports (a bit mask) that take no operation on a register of ``kinds`` in a block that uses
    a register of kind ``beside``.
    """

    ports: int
    kinds: tuple[str, ...]
    beside: str


@dataclass(frozen=True, slots=True)
class Likened:
    """Mnemonics whose forms on registers use the ports like those of ``model``, whatever their
    own rows say.
    """

    mnemonics: tuple[str, ...]
    model: str


@dataclass(frozen=True, slots=True)
class Scheduler:
    """How many operations on ``general`` registers can wait for their operands at a time, how many
    on ``lanes``, 0 where nobody has timed it, and who says so.
    """

    general: int
    lanes: int
    source: str


@dataclass(frozen=True, slots=True)
class Forwarding:
    """Cycles from when the data of a store is there to the result of a load of it, and who says
    so: of ``failed`` where no single store has all its bytes, ``renamed`` where a register is
    loaded as it was stored at a simple address, ``lanes`` into a vector register and ``latency``
    for all others.  While a load waits for
    failing stores to be in the cache nothing retires: ``blocked`` cycles of each such wait.
    """

    renamed: int
    latency: int
    lanes: int
    failed: int
    blocked: int
    source: str


@dataclass(frozen=True, slots=True)
class Prices:
    """The rows of one CPU by instruction form; ``dispatch`` is how many micro-operations enter
    a cycle.
    """

    cpu: str
    dispatch: int
    ports: tuple[str, ...]
    rows: Mapping[str, Price] = field(repr=False)
    digest: str
    closed: Closed | None = None
    likened: Likened | None = None
    split: Split | None = None
    scheduler: Scheduler | None = None
    forwarding: Forwarding | None = None

    def of(self, form: str) -> Price | None:
        """Return the price of ``form``, or None where the table has no row."""
        row = self.rows.get(form)
        if row is None or self.likened is None or "mem" in form:
            return row
        mnemonic, _, operands = form.rpartition(" ")
        model = (
            self.rows.get(f"{self.likened.model} {operands}")
            if mnemonic in self.likened.mnemonics
            else None
        )
        return row if model is None else replace(model, latency=row.latency)

    def beyond(self, form: str, others: Sequence[str]) -> int | None:
        """Return what the work of ``form`` costs on ports that ``others`` leave free, in hundredths
        of a cycle.
        """
        row, rows = self.of(form), [self.of(f) for f in others]
        known = [r for r in rows if r is not None]
        if row is None or len(known) < len(rows):
            return None
        used: dict[int, float] = {}
        for u in (u for r in known for u in r.usages):
            used[u.ports] = used.get(u.ports, 0.0) + u.cycles
        rest = (Usage(u.ports, max(0.0, u.cycles - used.get(u.ports, 0.0))) for u in row.usages)
        return round(100 * port_bound(rest)) + max(0, row.uops - sum(r.uops for r in known))

    def hundredths(self, form: str) -> int | None:
        """Return the price of one execution in hundredths of a cycle of throughput; ties prefer
        fewer micro-operations.
        """
        row = self.of(form)
        if row is None:
            return None
        bound = max(port_bound(row.usages), row.uops / self.dispatch)
        return max(1, round(100 * bound) + row.uops)


def read_prices(text: str, file: str = "<prices>") -> Prices:
    """Read a table that :func:`isel.cost.writer.write_prices` wrote; raises SyntaxProblem with the
    position of the first mistake.
    """
    import hashlib

    head: dict[str, str] = {}
    rows: dict[str, Price] = {}
    position = 0
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\n")
        if body.startswith("# prices of "):
            head["cpu"] = body.removeprefix("# prices of ")
        elif body.startswith("#"):
            key, _, value = body[1:].partition(":")
            head[key.strip()] = value.strip()
        elif body != "\t".join(COLUMNS):
            _read_row(body, rows, text, position, file)
        position += len(line)
    for key in ("cpu", "dispatch", "ports"):
        if key not in head:
            raise SyntaxProblem(f"price table without '{key}' in its header", text, 0, file)
    if not head["dispatch"].isdigit() or int(head["dispatch"]) == 0:
        raise SyntaxProblem("price table: expected 'dispatch: <positive integer>'", text, 0, file)
    where = head, text, file
    return Prices(
        head["cpu"],
        int(head["dispatch"]),
        tuple(head["ports"].split()),
        rows,
        hashlib.sha256(text.encode()).hexdigest(),
        _read_closed(*where),
        _read_likened(*where),
        _read_split(*where),
        _read_numbers(Scheduler, *where),
        _read_numbers(Forwarding, *where),
    )


def _read_numbers(kind: type[T], head: Mapping[str, str], text: str, file: str) -> T | None:
    """Read the fields of a class from the line of its name: numbers, then who says so."""
    make: Callable[..., T] = kind
    name = kind.__name__.lower()
    names = [f.name for f in fields(kind)]
    if name not in head:
        return None
    *numbers, source = head[name].split(" ", len(names) - 1)
    if len(numbers) != len(names) - 1 or not all(map(str.isdigit, numbers)):
        expected = " ".join((f"{name}:", *(f"<{n}>" for n in names)))
        raise SyntaxProblem(f"price table: expected '{expected}'", text, 0, file)
    return make(*map(int, numbers), source)


def _read_split(head: Mapping[str, str], text: str, file: str) -> Split | None:
    if "split source" not in head:
        return None
    try:
        found = (tuple(map(read_usage, head.get(f"split {way}", "").split())) for way in SPLITS)
        load, store, whole_load, whole_store = found
    except ValueError as bad:
        raise SyntaxProblem(f"price table: bad split: {bad}", text, 0, file) from None
    return Split(load, store, whole_load, whole_store, head["split source"])


def _read_closed(head: Mapping[str, str], text: str, file: str) -> Closed | None:
    if "closed" not in head:
        return None
    letters, to, rest = head["closed"].partition(" to ")
    kinds, beside, kind = rest.partition(" beside ")
    if not (to and beside and kinds.split() and {*letters} <= {*PORT_LETTERS}):
        expected = "'closed: <ports> to <kinds of registers> beside <kind>'"
        raise SyntaxProblem(f"price table: expected {expected}", text, 0, file)
    return Closed(_mask(letters), tuple(kinds.split()), kind.strip())


def _read_likened(head: Mapping[str, str], text: str, file: str) -> Likened | None:
    if "likened" not in head:
        return None
    mnemonics, to, model = head["likened"].partition(" to ")
    if not (to and mnemonics.split() and model.strip()):
        expected = "'likened: <mnemonics> to <mnemonic>'"
        raise SyntaxProblem(f"price table: expected {expected}", text, 0, file)
    return Likened(tuple(mnemonics.split()), model.strip())


def _read_row(line: str, rows: dict[str, Price], text: str, position: int, file: str) -> None:
    fields = line.split("\t")
    if len(fields) != len(COLUMNS):
        raise SyntaxProblem(
            f"expected {len(COLUMNS)} columns, found {len(fields)}", text, position, file
        )
    mnemonics, operands, uops, latency, throughput, ports = fields
    try:
        cycles, _, accumulator = latency.partition(" ")
        price = Price(
            int(uops),
            int(cycles),
            float(throughput),
            tuple(read_usage(p) for p in ports.split()),
            _forwarded(accumulator),
        )
    except ValueError as bad:
        raise SyntaxProblem(f"bad price row: {bad}", text, position, file) from None
    for mnemonic in mnemonics.split("|"):
        for some in operands.split(" "):
            form = f"{mnemonic} {some}" if mnemonic else some
            if form in rows:
                raise SyntaxProblem(f"second row for '{form}'", text, position, file)
            rows[form] = price


def _forwarded(text: str) -> Forwarded | None:
    if not text:
        return None
    kind, _, latency = text.partition(":")
    return Forwarded(kind, int(latency))


def read_usage(text: str) -> Usage:
    """Read the use of a group of ports: their letters, ``*``, and cycles."""
    letters, _, cycles = text.partition("*")
    return Usage(_mask(letters), float(cycles))


def _mask(letters: str) -> int:
    mask = 0
    for letter in letters:
        mask |= 1 << PORT_LETTERS.index(letter)
    return mask
