"""Expressions of ASL out of the tokens of a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from semantics.arm.importer.syntax import BitString, Bracket, Expression, Place, Tuple
from semantics.arm.importer.tokens import Token
from semantics.importing.syntax import Apply, Binary, Conditional, Num, TextMistake, Unary, Var

_LEVELS: Final = (
    ("||", "&&"),
    ("==", "!=", "<", "<=", ">", ">=", "IN"),
    (":",),
    ("+", "-", "EOR", "AND", "OR"),
    ("*", "DIV", "MOD"),
    ("<<", ">>"),
    ("^",),
)
_ABOVE_CONCAT: Final = 3
_END: Final = Token("end", "the end of the line")


class Reader:
    """Reads expressions from tokens, from the left."""

    def __init__(self, tokens: Sequence[Token], line: int) -> None:
        self.tokens = tokens
        self.line = line
        self.at = 0

    @property
    def here(self) -> Token:
        """The next token."""
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def ahead(self, count: int) -> Token:
        """Return the token after ``count`` others."""
        at = self.at + count
        return self.tokens[at] if at < len(self.tokens) else _END

    def take(self, text: str) -> bool:
        """Skip a token if it is this one."""
        if self.here.text != text or self.here.kind in ("bits", "string"):
            return False
        self.at += 1
        return True

    def expect(self, text: str) -> None:
        """Skip this token; raise :class:`TextMistake` for another."""
        if not self.take(text):
            raise self.mistake(f"'{text}'")

    def mistake(self, expected: str) -> TextMistake:
        """Return the mistake of a token that was not expected."""
        return TextMistake(f"'{self.here.text}', expected {expected}", self.line)

    def name(self) -> str:
        """Read a name."""
        if self.here.kind != "name":
            raise self.mistake("a name")
        self.at += 1
        return self.tokens[self.at - 1].text

    def expression(self, level: int = 0) -> Expression:
        """Read an expression of operators that bind at least as much as those of a level."""
        if level == 0 and self.take("if"):
            return self._conditional()
        if level == len(_LEVELS):
            return self._unary()
        left = self.expression(level + 1)
        while self.here.text in _LEVELS[level] and self.here.kind in ("op", "name"):
            op = self.here.text
            self.at += 1
            right = self._set() if op == "IN" else self.expression(level + 1)
            left = Binary(op, left, right, self.line)
        return left

    def _conditional(self) -> Expression:
        test = self.expression()
        self.expect("then")
        yes = self.expression()
        if self.take("elsif"):
            return Conditional(test, yes, self._conditional(), self.line)
        self.expect("else")
        return Conditional(test, yes, self.expression(), self.line)

    def _set(self) -> Expression:
        self.expect("{")
        return Tuple(self._list("}"), False, self.line)

    def _list(self, end: str) -> tuple[Expression, ...]:
        if self.take(end):
            return ()
        items = [self.expression()]
        while self.take(","):
            items.append(self.expression())
        self.expect(end)
        return tuple(items)

    def _unary(self) -> Expression:
        for op in ("-", "!", "NOT"):
            if self.take(op):
                return Unary(op, self._unary(), self.line)
        found = self._primary()
        while self.here.text == "[" and self.here.kind == "op":
            self.at += 1
            found = Bracket(found, self._places(), self.line)
        return found

    def _places(self) -> tuple[Place, ...]:
        found = [self._place()]
        while self.take(","):
            found.append(self._place())
        self.expect("]")
        return tuple(found)

    def _place(self) -> Place:
        first = self.expression(_ABOVE_CONCAT) if self.here.text != "if" else self.expression()
        if self.take(":"):
            return Place(self.expression(_ABOVE_CONCAT), first)
        if self.take("+:"):
            return Place(first, None, self.expression(_ABOVE_CONCAT))
        return Place(first)

    def _primary(self) -> Expression:
        t = self.here
        self.at += 1
        if t.kind == "number" and "." not in t.text:
            return Num(int(t.text.replace("_", ""), 0), self.line)
        if t.kind == "bits":
            return BitString(t.text[1:-1].replace(" ", ""), self.line)
        if t.kind == "name":
            called = self.take("(")
            return Apply(t.text, self._list(")"), self.line) if called else Var(t.text, self.line)
        if t.text == "(" and t.kind == "op":
            items = self._list(")")
            return items[0] if len(items) == 1 else Tuple(items, False, self.line)
        if t.text == "[" and t.kind == "op":
            return Tuple(self._list("]"), True, self.line)
        self.at -= 1
        raise self.mistake("a value")
