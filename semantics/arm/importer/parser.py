"""Statements and functions of ASL, whose blocks are told by their indentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from semantics.arm.importer.expressions import Reader
from semantics.arm.importer.syntax import (
    Call,
    Case,
    Declare,
    Expression,
    For,
    Function,
    If,
    Parameter,
    Refuse,
    Statement,
)
from semantics.arm.importer.tokens import Line, lines_of
from semantics.importing.syntax import Apply, Assign, Return, TextMistake, Var

_REFUSE: Final = ("UNDEFINED", "SEE", "UNPREDICTABLE", "ReservedValue", "UnallocatedEncoding")


def parse_block(text: Sequence[str], first: int) -> tuple[Statement, ...]:
    """Return the statements of some lines, the first of which has this number; raise
    :class:`TextMistake`.
    """
    return _Blocks(lines_of(text, first)).every()


def parse_function(text: Sequence[str], first: int) -> Function:
    """Return a function: a line with its type, name and parameters, then its body."""
    head, *body = lines_of(text, first)
    r = Reader(head.tokens, head.at)
    width = _type(r)[1]
    name = r.name()
    r.expect("(")
    parameters: list[Parameter] = []
    while not r.take(")"):
        bits = _type(r)[1]
        parameters.append(Parameter(r.name(), bits))
        r.take(",")
    return Function(name, width, tuple(parameters), _Blocks(body).every(), head.at)


def _type(r: Reader) -> tuple[str, Expression | None]:
    """Read a type: ``bits`` with its width, or a name (a tuple of types counts as one)."""
    if r.take("("):
        while not r.take(")"):
            _type(r)
            r.take(",")
        return "tuple", None
    name = r.name()
    if name != "bits":
        return name, None
    r.expect("(")
    width = r.expression()
    r.expect(")")
    return name, width


class _Blocks:
    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.at = 0

    def every(self) -> tuple[Statement, ...]:
        if not self.lines:
            return ()
        found = self.block(self.lines[0].indent)
        if self.at < len(self.lines):
            raise TextMistake("an indentation of no block", self.lines[self.at].at)
        return found

    def block(self, indent: int) -> tuple[Statement, ...]:
        """Read the statements of one indentation."""
        found: list[Statement] = []
        while self.at < len(self.lines) and self.lines[self.at].indent == indent:
            found.extend(self._line(self.lines[self.at]))
        return tuple(found)

    def _line(self, line: Line) -> list[Statement]:
        self.at += 1
        r = Reader(line.tokens, line.at)
        if r.take("if"):
            return [self._if(r, line)]
        if r.take("case"):
            return [self._case(r, line)]
        if r.take("for"):
            return [self._for(r, line)]
        return _simple(r)

    def _deeper(self, line: Line) -> tuple[Statement, ...]:
        if self.at == len(self.lines) or self.lines[self.at].indent <= line.indent:
            raise TextMistake("nothing, expected an indented block", line.at)
        return self.block(self.lines[self.at].indent)

    def _body(self, r: Reader, line: Line) -> tuple[Statement, ...]:
        """Read statements on the rest of a line, or the block below it."""
        if r.at == len(r.tokens):
            return self._deeper(line)
        if r.here.text == "if":
            r.at += 1
            return (self._if(r, line),)
        return tuple(_simple(r, "else", "elsif"))

    def _if(self, r: Reader, line: Line) -> If:
        test = r.expression()
        r.expect("then")
        arms: list[tuple[Expression | None, tuple[Statement, ...]]] = [(test, self._body(r, line))]
        while True:
            if r.at == len(r.tokens):
                if (
                    self.at == len(self.lines)
                    or self.lines[self.at].indent != line.indent
                    or self.lines[self.at].tokens[0].text not in ("else", "elsif")
                ):
                    return If(tuple(arms), line.at)
                r = Reader(self.lines[self.at].tokens, self.lines[self.at].at)
                self.at += 1
            if r.take("elsif"):
                again: Expression | None = r.expression()
                r.expect("then")
            else:
                r.expect("else")
                again = None
            arms.append((again, self._body(r, line)))

    def _case(self, r: Reader, line: Line) -> Case:
        selector = r.expression()
        r.expect("of")
        arms: list[tuple[tuple[Expression, ...], tuple[Statement, ...]]] = []
        indent = self.lines[self.at].indent if self.at < len(self.lines) else 0
        while self.at < len(self.lines) and self.lines[self.at].indent == indent > line.indent:
            arm = self.lines[self.at]
            self.at += 1
            r = Reader(arm.tokens, arm.at)
            patterns: list[Expression] = []
            if not r.take("otherwise"):
                r.expect("when")
                patterns.append(r.expression())
                while r.take(","):
                    patterns.append(r.expression())
            empty = r.at == len(r.tokens) and (
                self.at == len(self.lines) or self.lines[self.at].indent <= arm.indent
            )
            arms.append((tuple(patterns), () if empty else self._body(r, arm)))
        return Case(selector, tuple(arms), line.at)

    def _for(self, r: Reader, line: Line) -> For:
        variable = r.name()
        r.expect("=")
        first = r.expression()
        down = r.take("downto")
        if not down:
            r.expect("to")
        last = r.expression()
        return For(variable, first, last, down, self._body(r, line), line.at)


def _simple(r: Reader, *ends: str) -> list[Statement]:
    """Read the statements of a line that are no blocks, up to a word that ends them."""
    found: list[Statement] = []
    while r.at < len(r.tokens) and r.here.text not in ends:
        found.append(_statement(r))
    return found


def _statement(r: Reader) -> Statement:
    start = r.here
    if start.text in _REFUSE:
        _skip(r)
        return Refuse(r.line)
    if start.text == "return":
        r.at += 1
        value = r.expression()
        r.expect(";")
        return Return(value, r.line)
    if start.text == "assert":
        _skip(r)
        return Call(r.line)
    r.take("constant")
    if _declares(r):
        return _declaration(r)
    target = r.expression(3)
    if isinstance(target, Apply) and r.take(";"):
        return Call(r.line)
    if isinstance(target, Var) and r.take(";"):
        return Call(r.line)
    r.expect("=")
    value = r.expression()
    r.expect(";")
    return Assign(target, value, r.line)


def _skip(r: Reader) -> None:
    while not r.take(";"):
        if r.at == len(r.tokens):
            raise r.mistake("';'")
        r.at += 1


def _declares(r: Reader) -> bool:
    if r.here.kind != "name":
        return False
    return (r.here.text == "bits" and r.ahead(1).text == "(") or (
        r.ahead(1).kind == "name"
        and r.ahead(1).text not in ("DIV", "MOD", "AND", "OR", "EOR", "IN")
    )


def _declaration(r: Reader) -> Declare:
    kind, width = _type(r)
    names = [r.name()]
    while r.take(","):
        names.append(r.name())
    value = r.expression() if r.take("=") else None
    r.expect(";")
    return Declare(kind, width, tuple(names), value, r.line)
