"""``isel costs measure``: prices timed on this machine, held against its table and written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from frontends.llvm.linked.binding import host_cpu
from isel.cli.edge import OK
from isel.cli.files import check_writable, write_file
from isel.cli.forms import cycles_and_latency, forms_like
from isel.cli.progress import progress
from isel.cost.ports import port_bound
from isel.cost.prices import Prices
from isel.cost.writer import write_prices
from isel.errors import UsageProblem
from semantics import target_named
from semantics.pricing import priced_cpus, pricing
from semantics.x86.costs.fitted import differs
from semantics.x86.costs.measure import Measured, NotSettled, emitted_forms, measure


def measure_all(arguments: argparse.Namespace) -> int:
    """Time forms, print where the table differs, and write the table as timed.

    Without a CPU the table is that of this machine, or the nearest.
    """
    target = target_named("x86")  # the only one that can be timed so far
    words: list[str] = arguments.names
    named = bool(words) and words[0] in priced_cpus(target)
    base = pricing(target.name, words[0] if named else host_cpu()).prices
    some = set(forms_like(target, [base], words[named:]))
    wanted = [form for form in emitted_forms(base) if form in some]
    if not wanted:
        raise UsageProblem("none of these forms can be timed")
    if arguments.out is not None:
        check_writable(arguments.out)
    try:
        with progress("forms timed") as tell:
            found = measure(base, wanted, partial(tell, "forms timed"))
    except NotSettled as few:
        raise UsageProblem(
            f"timing does not settle here ({few} forms); the table of {base.cpu} stays as it is"
        ) from None
    if not found.times:
        raise UsageProblem("this machine runs none of these forms")
    lines = _lines(base, wanted, found)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    if arguments.out is not None:
        notes = [
            f"tool: isel costs measure, {len(found.times)} forms on {host_cpu()}",
            f"input: sha256 {base.digest}",
        ]
        write_file(arguments.out, write_prices(found.prices, notes).encode())
    return OK


def _lines(base: Prices, wanted: Sequence[str], found: Measured) -> list[str]:
    """Return a line for each form that differs from its table, and the totals."""
    rows: list[tuple[str, str, str]] = []
    settled = 0
    for form, time in found.times.items():
        price = base.of(form)
        if price is None or time.throughput is None:
            continue
        settled += 1
        if differs(time.throughput, port_bound(price.usages)):
            latency = "-" if time.latency is None else f"{time.latency:.0f}"
            here = f"{time.throughput:.2f} / {latency}"
            rows.append((form, cycles_and_latency(base, form), here))
    width = max((len(form) for form, _, _ in rows), default=0)
    head = [f"{'form':{width}} {base.cpu:>16} {'here':>16}"] if rows else []
    counts = f"{settled} of {len(wanted)} forms timed, {len(found.missing)} not on this machine"
    what = f"{len(rows)} differ: cycles of reciprocal throughput / latency"
    lines = (f"{form:{width}} {table:>16} {here:>16}" for form, table, here in rows)
    return [*head, *lines, f"{counts}, {what}"]
