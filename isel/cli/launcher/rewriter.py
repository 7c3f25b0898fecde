"""The rewriter, as the launcher runs it: in a process of its own, from a file of IR to a file that
the user's compiler takes.

What became of a whole module is kept with the functions: a rebuild then needs neither LLVM nor
solvers.  Where something was left to search, the module goes to the journal.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Final

from isel.cache.store import Store, open_store
from isel.cli.launcher import journal
from isel.cli.launcher.order import (
    MEASURED,
    Order,
    Result,
    asked_for,
    close,
    hash_of,
    keep_row,
    key_of,
    read_row,
    remote_of,
)
from isel.cli.launcher.tool import identity

WARNING: Final = "warning: "  # before what the user is told
_ORDER: Final = re.compile(r"^ *(?:; )?uselistorder.*\n", re.MULTILINE)  # of other text than ours


def rewrite(
    order: Order, decide: Callable[[Order, str], tuple[Result, bool]]
) -> tuple[dict[str, int], list[str]]:
    """Write the module that is decided on, or nothing where nothing is rewritten; return what there
    is to count, and a line for each function that is as it was.

    Raises :class:`isel.errors.IselError`, and whatever a bug raises: the compiler goes on with the
    user's IR.
    """
    with open(order.ir, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = _ORDER.sub("", file.read())
    result, known = decide(order, text)
    if result.new:
        new = result.new
        with open(order.out, "wb") as out:
            out.write(new if isinstance(new, bytes) else new.encode(errors="surrogateescape"))
    if order.remarks:
        with open(order.remarks, "w", encoding="utf-8", errors="surrogateescape") as told:
            told.write(result.remarks)
    lines = [*result.first, *(f"@{name} is as it was: {why}" for name, why in result.reasons)]
    lines += [f"{WARNING}{result.warning}"] if result.warning else []
    return {**result.counts(), "hits": int(known)}, lines


def decide(order: Order, text: str, cache: str | None = None) -> tuple[Result, bool]:
    """Return what becomes of a module, and whether that was kept; a change of the journal goes
    along.
    """
    # What a hit does not need, a parser of flags among it, is not imported.
    store = open_store(cache or (asked_for(order.flags)[1] if "cache" in order.flags else None))
    try:
        signer = store.overlay.signer if store and store.overlay else None
        tool = identity(os.environ, signer)
        key = key_of(text, order, tool)
        known = _recall(store, key, order, text)
        found = (known, True) if known else _decide_now(order, text, key, store, tool)
    finally:
        if store is not None:
            store.close()
    if order.quick and signer is not None:
        _note(order, text, found[0])
    return found


def _decide_now(
    order: Order, text: str, key: str, store: Store | None, tool: str
) -> tuple[Result, bool]:
    if not order.quick:
        return _decide(order, text, key, store, tool), False
    from isel.cli.launcher.quick import decide_quickly

    return decide_quickly(order, text, key, store, tool)


def _recall(store: Store | None, key: str, order: Order, text: str) -> Result | None:
    """Return what was kept of a module; what is the same with any cache asks no clock."""
    if store is None or order.measure:
        return None
    measured = store.function(key + MEASURED) if order.quick or order.late else None
    return read_row(measured or store.function(key), text)


def _note(order: Order, text: str, result: Result) -> None:
    """Put a module of which something is left into the journal, or take it out."""
    if not journal.is_on(os.environ):
        return None
    if not result.left:
        return journal.remove(order.output, os.environ)
    entry = journal.Entry(
        order.output, order.source, order.version, order.level, order.flags, hash_of(result), text
    )
    try:
        return journal.add(entry, os.environ)
    except OSError as error:  # what is left stays so
        sys.stderr.write(f"no journal: {error}\n")


def _decide(order: Order, text: str, key: str, store: Store | None, tool: str) -> Result:
    """Rewrite a module, and keep what comes of it where another run would decide alike."""
    from isel.cli.launcher.searching import search, setting

    remote = remote_of(order) if order.late else None
    with setting(order, store, tool, remote) as searches:
        result, is_settled = search(searches, text)
    result = result._replace(warning=close(remote))
    if store is not None and is_settled:
        keep_row(store, f"{key}{MEASURED}" if result.taken_back else key, result)
        if order.late and not result.taken_back:
            from isel.cli.launcher.quick import finish

            finish(order, text, result, store, tool)
    return result
