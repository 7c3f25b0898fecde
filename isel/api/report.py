"""What a report says beside what was tried: prices of another CPU, and a text in other lines."""

from __future__ import annotations

from collections.abc import Iterator

from frontends.llvm.linked import binding
from frontends.llvm.pipeline.aim import Aim, aim_of
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.text.parse import parse_module
from isel.errors import UnknownName
from semantics import searched_for
from semantics.pricing import pricing


def notes(done: Rewritten, options: Options) -> Iterator[str]:
    """Yield a line for each CPU of a module that has no table of prices, with the one that it
    takes, and one where the text is all LLVM's.
    """
    yield from _nearest(done, options)
    if done.reprinted:
        yield f"the text is LLVM's print of the whole module: {done.reprinted}\n"


def _nearest(done: Rewritten, options: Options) -> Iterator[str]:
    module = parse_module(done.before, frozenset())
    try:
        target = searched_for(options.triple or module.triple or binding.host_triple())
    except UnknownName:
        return
    aims = [a for f in module.functions if isinstance(a := aim_of(f, target, options), Aim)]
    for cpu, priced in sorted({(a.cpu, a.priced) for a in aims}):
        taken = pricing(target.name, priced).prices.cpu
        if cpu not in ("", taken):
            what = cpu if cpu == priced else f"{cpu} with these features"
            yield f"  there is no table of prices for {what}: that of {taken} is used\n"
