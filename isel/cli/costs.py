"""``isel costs``: what instructions cost in the model of a CPU, where the models of two CPUs
differ, and what they cost on this machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from isel.cli.edge import OK
from isel.cli.forms import cycles, cycles_and_latency, forms_like, latency
from isel.cost.prices import PORT_LETTERS, Prices
from isel.errors import UnknownName, UsageProblem
from isel.json_text import print_json
from isel.spec.target import Target
from semantics import isas
from semantics.pricing import pricing


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel costs``."""
    if arguments.action == "measure":
        from isel.cli.measuring import measure_all

        if arguments.json:
            raise UsageProblem("--json goes with isel costs show and compare")
        return measure_all(arguments)
    if arguments.out is not None:
        raise UsageProblem("-o goes with isel costs measure")
    target, cpus, patterns = _cpus(arguments.names, 2 if arguments.action == "compare" else 1)
    tables = [pricing(target.name, cpu).prices for cpu in cpus]
    forms = forms_like(target, tables, patterns)
    if arguments.json:
        return print_json([row for form in forms for row in _rows(tables, form)])
    lines = _compare(tables, forms) if arguments.action == "compare" else _show(tables[0], forms)
    print("\n".join(lines))
    return OK


def _rows(tables: Sequence[Prices], form: str) -> Iterator[dict[str, object]]:
    """Yield what tables say of a form, nothing where two say the same."""
    if len(tables) == 2 and len({cycles_and_latency(t, form) for t in tables}) == 1:
        return
    for table, price in ((t, t.of(form)) for t in tables):
        if price is not None:
            yield {
                "cpu": table.cpu,
                "form": form,
                "uops": price.uops,
                "latency": price.latency,
                "cycles": float(cycles(table, form, price)),
                "ports": [[_ports(u.ports, table), u.cycles] for u in price.usages],
            }


def _cpus(words: Sequence[str], count: int) -> tuple[Target, list[str], list[str]]:
    """Return the CPUs at the beginning, their target, and the other words; raises
    :class:`UnknownName` and :class:`UsageProblem`.
    """
    of = {cpu: isa for isa in isas() for cpu in isa.priced()}
    known = tuple(of)
    if len(words) < count:
        raise UsageProblem(
            f"isel costs takes {'a CPU' if count == 1 else 'two CPUs'}: {', '.join(known)}"
        )
    for word in words[:count]:
        if word not in known:
            raise UnknownName("CPU with a table of prices", word, known)
    cpus = list(words[:count])
    if any(of[cpu] is not of[cpus[0]] for cpu in cpus):
        raise UsageProblem(f"{' and '.join(cpus)} have no instruction in common")
    return of[cpus[0]].target(), cpus, list(words[count:])


def _show(table: Prices, forms: Sequence[str]) -> list[str]:
    width = max(map(len, forms))
    lines = [f"{'form':{width}} uops latency cycles  ports"]
    for form in forms:
        price = table.of(form)
        if price is not None:
            ports = " ".join(
                f"{_ports(u.ports, table)}{'' if u.cycles == 1 else f' x{u.cycles:g}'}"
                for u in price.usages
            )
            lines.append(
                f"{form:{width}} {price.uops:4} {latency(price):>7} "
                f"{cycles(table, form, price):>6}  {ports}"
            )
    dispatch = f"{table.dispatch} micro-operations a cycle; ports {' '.join(table.ports)}"
    return [*lines, f"{table.cpu}: cycles of reciprocal throughput; {dispatch}"]


def _ports(mask: int, table: Prices) -> str:
    names = [*table.ports, *PORT_LETTERS[len(table.ports) :]]
    return "|".join(name for k, name in enumerate(names) if mask >> k & 1)


def _compare(tables: Sequence[Prices], forms: Sequence[str]) -> list[str]:
    """Return the forms whose throughput or latency differ, with both."""
    width = max(map(len, forms))
    a, b = tables
    lines = [f"{'form':{width}} {a.cpu:>16} {b.cpu:>16}"]
    pairs = [(form, cycles_and_latency(a, form), cycles_and_latency(b, form)) for form in forms]
    lines += [f"{form:{width}} {x:>16} {y:>16}" for form, x, y in pairs if x != y]
    differ = sum(x != y for _, x, y in pairs)
    what = "cycles of reciprocal throughput / latency, '-' where a table has no row"
    return [*lines, f"{differ} of {len(forms)} forms differ: {what}"]
