"""The lines of a function under the changes of a transform: before, after, and which are new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from frontends.llvm.limits import LAYERS_SITES
from frontends.llvm.splicing.write import Edits, drop_unused
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.transform.site import Change, Opportunity, Scope


def changes_of(
    scope: Scope, sites: Iterable[Opportunity]
) -> Iterator[tuple[Opportunity, Change | str]]:
    """Yield sites, each with what its lines become, or why they stay."""
    names, taken = scope.view.free_names(), set[int]()
    for site in islice(sites, LAYERS_SITES):
        change = site.why_not or site.edits(scope, names)
        if isinstance(change, Change) and _is_written(scope.module, change):
            change = "it is written so already"
        if isinstance(change, Change) and not taken.isdisjoint(change.lines):
            change = "its lines are changed already"
        if isinstance(change, Change):
            taken.update(change.lines)
        yield site, change


def _is_written(module: Module, change: Change) -> bool:
    """Tell whether lines are what they would become."""
    lines = ((module.lines[k].strip(), new) for k, new in change.lines.items())
    return bool(change.lines) and all([x.strip() for x in new] == [old] for old, new in lines)


def edits_of(module: Module, function: Function, changes: Sequence[Change]) -> Edits:
    """Return what the lines of a function become: those of changes, and nothing for what is unused
    then.
    """
    if not changes:
        return Edits({}, {})
    lines: dict[int, tuple[str, ...]] = {}
    declarations: dict[str, str] = {}
    for change in changes:
        lines.update(change.lines)
        declarations.update(change.declarations)
    body = {k: lines.get(k, (module.lines[k],)) for k in function.span}
    unused = {i.name: i for change in changes for i in change.unused if i.line not in lines}
    drop_unused(function, body, lines, unused)
    return Edits({k - function.first: new for k, new in sorted(lines.items())}, declarations)


def new_lines(edits: Edits, before: Function, after: Function) -> frozenset[int]:
    """Return which lines of a function are none of those before."""
    found: set[int] = set()
    at = after.first
    for k in range(len(before.span)):
        new = edits.lines.get(k)
        if new is not None:
            found.update(range(at, at + len(new)))
        at += 1 if new is None else len(new)
    return frozenset(found)


def replaced_lines(edits: Edits | None, module: Module, function: Function) -> frozenset[int]:
    """Return which lines of a function are not among what they became."""
    changed = edits.lines.items() if edits is not None else ()
    lines = ((function.first + k, new) for k, new in changed)
    return frozenset(k for k, new in lines if module.lines[k] not in new)
