"""The vendor's list against what the target has of it: how many entries are imported, executed,
proved, and what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from isel.shipped import rows_in, text_of
from isel.spec.sem import read_entries
from isel.spec.target import Target
from semantics import isa_named
from semantics.digest import sources
from semantics.record import AGREES, EXECUTED, PROVED, VendorCounts, current

_COUNT = re.compile(r"^# specified (\d+),", re.MULTILINE)


def left_out(isa: str) -> tuple[int, dict[str, str]]:
    """Return the number of entries of the list, and those that are not imported with the reason."""
    text = text_of(__file__, isa, "generated", "left_out.tsv")
    found = _COUNT.search(text)
    assert found is not None
    return int(found[1]), dict(rows_in(text))


def imported(isa: str) -> frozenset[str]:
    """Return the names of the imported entries."""
    texts = (source for source in sources(isa) if source[0].startswith("generated/"))
    read = (read_entries(text, name, check=False, bare=True) for name, text in texts)
    return frozenset(i.name for entries in read for i in entries.instructions)


def counts(target: Target) -> VendorCounts:
    """Count the entries of the vendor's list."""
    specified, missing = left_out(target.name)
    named = imported(target.name)
    listed = [i for i in target.instructions() if i.name in named]
    unsaid = named - {i.name for i in listed}
    executed, proofs = current(target, EXECUTED), current(target, PROVED)
    ran = [i for i in listed if (row := executed.get(i.name)) is not None and row.cases]
    agree = [i for i in ran if executed[i.name].outcome == AGREES]
    shown: dict[str, str] = {}
    for i in listed:
        proof = proofs[i.name].outcome if i.name in proofs else "no proof on record"
        shown[i.name] = "a call of its own intrinsic" if i.call else proof
    learned = isa_named(target.name).emission
    emission = {i.name: e for i in listed if (e := learned(i.name)) is not None}
    single = [i for i in listed if i.name in emission and emission[i.name].single]
    entry = isa_named(target.name).entry_name
    whole: dict[str, set[str]] = {}
    for i in listed:
        whole.setdefault(entry(i.name), set()).add(i.name)

    def entries(names: Iterable[str]) -> int:
        """Count the entries of which every instruction is among some."""
        some = set(names)
        return sum(parts <= some for parts in whole.values())

    unsupported: dict[str, list[str]] = {}
    for name, reason in missing.items():
        unsupported.setdefault(f"not imported: {reason}", []).append(name)
    if unsaid:
        unsupported["no emission: the compiler has no such intrinsic"] = sorted(unsaid)
    for i in listed:
        row = executed.get(i.name)
        if row is None or row.outcome != AGREES:
            unsupported.setdefault(
                f"not executed: {row.outcome if row is not None else 'no record of this text'}", []
            ).append(i.name)
        if i.name in emission and not emission[i.name].single:
            unsupported.setdefault(
                f"compiled alone: {' '.join(emission[i.name].becomes) or 'nothing'}", []
            ).append(i.name)
    return VendorCounts(
        specified=specified,
        imported=specified - len(missing),
        tested=entries(i.name for i in ran),
        agree=entries(i.name for i in agree),
        emission_proved=entries(name for name, outcome in shown.items() if outcome == "proved"),
        emission_calls=entries(i.name for i in listed if i.call),
        emission_single=entries(i.name for i in single),
        unproved={
            name: outcome
            for name, outcome in shown.items()
            if outcome not in ("proved", "a call of its own intrinsic")
        },
        unsupported={reason: tuple(names) for reason, names in sorted(unsupported.items())},
    )
