"""What the instructions of a function do, beside loading and storing."""

from __future__ import annotations

from dataclasses import dataclass

from isel.cost.code import Code, Dialect, Operation
from isel.cost.prices import Prices


@dataclass(frozen=True, slots=True)
class Work:
    """What LLVM selects for a function, loads and stores left out: the price in hundredths of a
    cycle, None where some form has none, and instructions.

    An instruction is its mnemonic and the kind of the register that it writes.
    """

    price: int | None = None
    instructions: tuple[tuple[str, str], ...] = ()


def work_of(code: Code | None, prices: Prices, dialect: Dialect) -> Work:
    """Return the work of a function, nothing of one that is not known."""
    if code is None:
        return Work()
    operations = [o for b in code.blocks for o in b.operations]
    found = [_alone(o, prices) for o in operations]
    known = [p for p in found if p is not None]
    computing = (o.form for o in operations if not o.addresses or o.register_form)
    forms = ((f, f.partition(" ")) for f in computing)
    return Work(
        sum(known) if len(known) == len(found) else None,
        tuple((name, dialect.written(f)) for f, (name, space, _) in forms if space),
    )


def _alone(o: Operation, prices: Prices) -> int | None:
    """Return the price of an operation on registers: of a load with work, the work where it has
    a price; of one that orders what it loads, what that costs beyond loading.
    """
    if not o.addresses:
        return prices.hundredths(o.form)
    if o.plain_forms:
        return prices.beyond(o.form, o.plain_forms)
    if not o.register_form:
        return 0
    found = prices.hundredths(o.register_form)
    return prices.hundredths(o.form) if found is None else found
