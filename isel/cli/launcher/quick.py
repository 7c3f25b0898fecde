"""An order that does not wait: what other machines have found, else a portion of the module; what
came of that is put into the user's text, and read back as LLVM reads all of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from frontends.llvm.dialect.inrange import without_inrange
from frontends.llvm.text.isolate import declare
from isel.cli.launcher import limits
from isel.cli.launcher.hot import VARIABLE, Found, by_heat, names_in, read_list
from isel.cli.launcher.order import (
    Order,
    Result,
    asked_for,
    close,
    keep_row,
    key_of,
    read_row,
    remote_of,
)
from isel.cli.launcher.portion import (
    Piece,
    Portioned,
    Share,
    piece_of,
    portion_of,
    read,
    spend,
)
from isel.json_text import to_json

if TYPE_CHECKING:
    from isel.cache.store import Store
    from isel.cli.launcher.searching import Setting

_WHOLE: Final = " whole"  # behind the key of what a whole search finished; the key of their stamp
_PART: Final = " portion"
_OTHER: Final = "LLVM reads something else of what was written"


def decide_quickly(
    order: Order, text: str, key: str, store: Store | None, tool: str
) -> tuple[Result, bool]:
    """Return what becomes of a module for now, and whether that was kept."""
    listed, warning = _hot_list(os.environ.get(VARIABLE, ""))
    finished = None if store is None else store.function(_WHOLE)
    part = f"{key}{_PART} {_hash(to_json([finished, sorted(listed.items())]))}"
    if store is not None and (found := _elsewhere(order, text, key, store, tool)) is not None:
        if not found.left:
            return found, False
        warning = warning or found.warning
    known = None if store is None else read_row(store.function(part), text)
    if known is not None:
        return known._replace(warning=warning), True
    with ExitStack() as stack:
        pieces = _Pieces(order, store if finished else None, store, tool, stack)
        result = _decide(order, without_inrange(text), listed, pieces)
    result = result._replace(cut=pieces.is_cut)
    if store is not None and pieces.is_settled:
        keep_row(store, part, result)
    return result._replace(warning=warning), False


def _decide(order: Order, text: str, listed: Mapping[str, float], pieces: _Pieces) -> Result:
    """Return what a portion makes of a module."""
    only = str(asked_for(order.flags)[0].get("only_function") or ".*")
    found = by_heat(text, listed)
    chosen = [f for f in found if re.fullmatch(only, f.name, re.DOTALL)]
    if not order.version:
        return _together(pieces.setting(), text, chosen)
    # what functions may spend is the same whichever of them are named
    done = spend(text, found, portion_of(text, found), pieces).only({f.name for f in chosen})
    new = done.text(text)
    if new and not _is_as_proved(new, done.hashes):
        done, new = done.without_lines(_OTHER), ""
    return _join(done, new, chosen, pieces.searched)


class _Pieces:
    """What is kept of functions by themselves, and what decides them."""

    def __init__(
        self, order: Order, finished: Store | None, store: Store | None, tool: str, stack: ExitStack
    ) -> None:
        self._order, self._finished, self._store, self._tool = order, finished, store, tool
        self._stack = stack
        self._setting: Setting | None = None
        self.searched = 0
        self.is_settled, self.is_cut = True, False

    def setting(self) -> Setting:
        """Return what searches need."""
        if self._setting is None:
            from isel.cli.launcher.searching import setting

            made = self._stack.enter_context(setting(self._order, self._store, self._tool))
            self._setting = made._replace(options=replace(made.options, only_function=""))
        return self._setting

    def whole(self, alone: str, name: str) -> Piece | None:
        """Return what a whole search has finished; with remarks where they are wanted."""
        if self._finished is None:
            return None
        key = key_of(alone, self._order._replace(remarks=""), self._tool) + _WHOLE
        found = read(self._finished.function(key))
        return self.decide(alone, name, None) if found and self._order.remarks else found

    def part(self, alone: str, name: str, given: int, seen: frozenset[str]) -> Piece:
        """Return what becomes of a function that may spend so much, where windows were seen."""
        key = f"{key_of(alone, self._order, self._tool)}{_PART} {_hash(to_json(sorted(seen)))}"
        found = None if self._store is None else read(self._store.function(key))
        if found is None or not found.is_same(given):
            share = Share(given // limits.PORTION_STEP, seen)
            found = self.decide(alone, name, share)._replace(
                spent=share.total * limits.PORTION_STEP,
                given=given,
                cut=share.is_cut,
                searched=share.windows,
            )
            if self._store is not None and self.is_settled:
                self._store.add_function(key, to_json(found))
        return found

    def decide(self, alone: str, name: str, share: Share | None) -> Piece:
        """Search a function, within a share or to the end."""
        from isel.cli.launcher.searching import search

        result, is_settled = search(self.setting(), alone, share=share)
        self.searched += 1
        self.is_cut |= result.cut
        self.is_settled &= is_settled
        made = piece_of(alone, str(result.new), name)
        reason = dict(result.reasons).get(name, "") if made else _OTHER
        changed = result.changed if made else ()
        lines, more = made or ((), ())
        counts = result.windows, sum(c.rewritten for c in changed)
        printed = "".join(c.printed for c in changed)
        return Piece(*counts, lines, more, printed, reason, result.remarks)


def finish(order: Order, text: str, result: Result, store: Store, tool: str) -> None:
    """Keep what a whole search made of each function with vectors."""
    text, new = without_inrange(text), str(result.new)
    names, changed = set(names_in(text)), {c.name: c for c in result.changed}
    for name in (f.name for f in by_heat(text, {})):
        others = names - {name}
        alone, own = declare(text, set(others)), changed.get(name)
        made = piece_of(alone, declare(new, others) if own else "", name)
        if made is not None:
            counts = (own.rewritten, own.rewritten) if own else (0, 0)
            reason = dict(result.reasons).get(name, "")
            piece = Piece(*counts, *made, own.printed if own else "", reason)
            store.add_function(key_of(alone, order, tool) + _WHOLE, to_json(piece))
    store.add_function(_WHOLE, _hash(f"{store.function(_WHOLE)}{key_of(text, order, tool)}"))


def _join(done: Portioned, new: str, chosen: Iterable[Found], searched: int) -> Result:
    """Return what pieces make of a module, which is then ``new``."""
    pieces = done.pieces
    hot = (f"@{f.name} comes first: {f.weight:g}" for f in chosen if f.weight and f.name in pieces)
    why = done.reasons
    return Result(
        len(pieces),
        sum(p.windows for p in pieces.values()),
        sum(p.rewritten for p in pieces.values()),
        new,
        tuple((f.name, why[f.name]) for f in chosen if f.name in why),
        _remarks(p.remarks for p in pieces.values()),
        len(done.left),
        searched,
        first=tuple(hot),
    )


def _together(setting: Setting, text: str, chosen: Iterable[Found]) -> Result:
    """Return what a portion makes of functions in one go, for a compiler that reads no text."""
    from isel.cli.launcher.searching import search

    every = list(chosen)
    names = [f.name for f in every if f.depth]
    only = "|".join(map(re.escape, names)) or "(?!)"
    options = replace(setting.options, only_function=only)
    share = Share(portion_of(text, every) // limits.PORTION_STEP)
    result, _ = search(setting._replace(options=options), text, share=share)
    left = len(every) - len(names) + share.is_cut
    told = tuple((n, why) for n, why in result.reasons if n.strip('"') in names)
    return result._replace(functions=len(names), left=left, searched=len(names), reasons=told)


def _is_as_proved(text: str, printed: Mapping[str, str]) -> bool:
    """Tell whether LLVM reads functions as they were proved."""
    from frontends.llvm.linked import binding
    from frontends.llvm.pipeline.decided import print_of
    from frontends.llvm.text.parse import parse_module
    from isel.errors import IselError

    spelled = [spelling for n in printed for spelling in (n, f'"{n}"')]
    try:
        after = parse_module(binding.normalise(text), frozenset(spelled))
    except IselError:
        return False
    own = {f.name.strip('"'): print_of(after, f.name) for f in after.functions}
    return all(own.get(name) == value for name, value in printed.items())


def _elsewhere(order: Order, text: str, key: str, store: Store, tool: str) -> Result | None:
    """Return what answers make of a module that are here or at another machine, None where there is
    none to ask; it is kept where all was proved here.
    """
    remote = remote_of(order)
    if remote is None or remote.is_away():
        return None
    from isel.cli.launcher.elsewhere import Elsewhere
    from isel.cli.launcher.searching import search, setting

    counts = Elsewhere()
    with setting(order, store, tool, remote) as searches:
        result, is_settled = search(searches, text, make=counts.making(searches.making))
    if is_settled and not counts.left:
        keep_row(store, key, result)
    warning = close(remote)
    return result._replace(left=counts.left, proved=counts.proved, warning=warning)


def _remarks(documents: Iterable[str]) -> str:
    """Return the remarks of functions as those of a module."""
    every = [json.loads(d) for d in documents if d]
    rows = [row for findings, _ in every for row in findings]
    return to_json([rows, "".join(text for _, text in every)]) if every else ""


def _hot_list(path: str) -> tuple[dict[str, float], str]:
    """Return what a list says is hot, and what is wrong with it."""
    if not path:
        return {}, ""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            found = read_list(file.read())
    except OSError as error:
        return {}, f"{VARIABLE}: {path}: {(error.strerror or str(error)).lower()}"
    return found, "" if found else f"{VARIABLE}: {path} names nothing"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
