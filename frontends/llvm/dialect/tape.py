"""A module's tokens with what stands between them, changed in place without moving any: names,
strings and comments are never looked into.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from frontends.llvm.text.tokens import TOKEN
from isel.errors import TooNew

_CLOSING: Final = {")": "(", "]": "[", "}": "{", ">": "<"}
_CALLS: Final = frozenset({"call", "invoke", "callbr"})


class Tape:
    """The tokens of ``text``; what :meth:`replace`, :meth:`drop` and :meth:`insert` say is seen in
    :meth:`text` only.

    ``version`` is that of the LLVM that will read it; the place of a token is its number.
    """

    __slots__ = ("_before", "_behind", "_end", "_gaps", "_new", "close", "tokens", "version")

    def __init__(self, text: str, version: int) -> None:
        self.version = version
        self.tokens: list[str] = []
        self._gaps: list[str] = []
        end = 0
        for found in TOKEN.finditer(text):
            if found[0][0] != ";":
                self.tokens.append(found[0])
                self._gaps.append(text[end : found.start()])
                end = found.end()
        self._end = text[end:]
        self._new = list(self.tokens)
        self._before: dict[int, str] = {}
        self._behind: dict[int, str] = {}
        self.close = self._brackets()

    def _brackets(self) -> dict[int, int]:
        """Return where each opened bracket is closed."""
        found: dict[int, int] = {}
        waiting: list[int] = []
        for k, token in enumerate(self.tokens):
            if token in ("(", "[", "{", "<"):
                waiting.append(k)
            elif token in _CLOSING:
                if not waiting or self.tokens[waiting[-1]] != _CLOSING[token]:
                    raise self.refused("brackets that do not match")
                found[waiting.pop()] = k
        return found

    def refused(self, what: str) -> TooNew:
        """Return the error that says that the older LLVM does not know of something."""
        return TooNew(what, self.version)

    def at(self, place: int) -> str:
        """Return a token, empty beyond the last."""
        return self.tokens[place] if place < len(self.tokens) else ""

    def is_label(self, place: int) -> bool:
        """Tell whether a word is followed by a colon: it names a block or a field."""
        return self.at(place + 1) == ":" and not self._gaps[place + 1]

    def starts_line(self, place: int) -> bool:
        """Tell whether a token is the first of its line."""
        return not place or "\n" in self._gaps[place]

    def replace(self, place: int, text: str) -> None:
        """Write ``text`` instead of a token."""
        self._new[place] = text

    def drop(self, first: int, last: int) -> None:
        """Leave the tokens from ``first`` to ``last`` out."""
        for k in range(first, last + 1):
            self._new[k] = ""

    def insert(self, place: int, text: str) -> None:
        """Write ``text`` right before a token, after what was inserted there already."""
        self._before[place] = self._before.get(place, "") + text

    def insert_behind(self, place: int, text: str) -> None:
        """Write ``text`` right behind a token."""
        self._behind[place] = text + self._behind.get(place, "")

    def between(self, first: int, last: int) -> str:
        """Return the unchanged text from one token to another."""
        return "".join(
            [
                self.tokens[first],
                *(self._gaps[k] + self.tokens[k] for k in range(first + 1, last + 1)),
            ]
        )

    def arguments(self, opening: int) -> list[tuple[int, int]]:
        """Return the first and last place of each part between a bracket's commas."""
        last = self.close[opening]
        found: list[tuple[int, int]] = []
        start = k = opening + 1
        while k < last:
            if self.tokens[k] == ",":
                found.append((start, k - 1))
                start = k + 1
            k = self.close.get(k, k) + 1
        if last > opening + 1:
            found.append((start, last - 1))
        return found

    def of_call(self, name: int) -> int:
        """Return the place of the ``call`` or ``declare`` of a function named at a place, -1
        where it is only mentioned.
        """
        for k in range(name - 1, -1, -1):
            token = self.tokens[k]
            if token in _CALLS or token == "declare":
                return k
            if token == "=" or self.starts_line(k):
                return -1
        return -1

    def statement(self, call: int) -> int:
        """Return where the statement of a ``call`` begins: at ``%r =``, at ``tail`` or at the
        call itself.
        """
        k = call
        if k and self.tokens[k - 1] in ("tail", "musttail", "notail"):
            k -= 1
        if k > 1 and self.tokens[k - 1] == "=":
            k -= 2
        return k

    def heads(self) -> Iterator[tuple[int, int]]:
        """Return for each function the place of its name and of the brace that opens its body."""
        k = 0
        while k < len(self.tokens):
            if self.tokens[k] == "define" and self.starts_line(k):
                head, k = self._body(k)
                yield head, k
            k = self.close.get(k, k) + 1

    def functions(self) -> Iterator[tuple[int, int]]:
        """Return the places of the braces around each function's body."""
        return ((opening, self.close[opening]) for _, opening in self.heads())

    def _body(self, define: int) -> tuple[int, int]:
        """Return the name of a definition and the brace that opens its body: the first behind
        the parameters that begins no constant.
        """
        k = define
        while k < len(self.tokens) and not (self.tokens[k][0] == "@" and self.at(k + 1) == "("):
            k = self.close.get(k, k) + 1
        head, constants = k, False
        while k < len(self.tokens):
            constants = constants or self.tokens[k] in ("prefix", "prologue", "personality")
            if self.tokens[k] == "{" and (not constants or self.starts_line(k + 1)):
                return head, k
            k = self.close.get(k, k) + 1
        raise self.refused("a definition without a body")

    def text(self) -> str:
        """Return the changed text."""
        parts: list[str] = []
        for k, new in enumerate(self._new):
            before, behind, gap = self._before.get(k, ""), self._behind.get(k, ""), self._gaps[k]
            if new or before or behind or "\n" in gap:
                parts += (gap, before, new, behind)
        return "".join(parts) + self._end
