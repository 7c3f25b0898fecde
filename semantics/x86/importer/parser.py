"""From the text of an operation to its syntax; mistakes say what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from semantics.importing.syntax import (
    Apply,
    Assign,
    Binary,
    Conditional,
    Num,
    Return,
    TextMistake,
    Unary,
    Var,
)
from semantics.x86.importer.syntax import (
    Case,
    Define,
    Expression,
    For,
    If,
    Slice,
    Statement,
    Table,
    View,
    While,
)

_TOKEN: Final = re.compile(
    r"(?P<skip>[ \t\r]+|//[^\n]*|\\[ "
    r"\t]*\n)|(?P<newline>\n)|(?P<number>0[xX][0-9A-Fa-f]+|\d+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>:=|<<<|>>=|<<=|\+=|-=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:;,.(){}\[\]])"
)
_WORDS: Final = {
    "and": "AND",
    "or": "OR",
    "xor": "XOR",
    "not": "NOT",
    "TO": "to",
    "DOWNTO": "downto",
    "Downto": "downto",
    "To": "to",
}
_TIGHTNESS: Final = {
    "OR": 1, "||": 1, "|": 1, "XOR": 2, "^": 2, "AND": 3, "&&": 3, "&": 3,
    "==": 4, "!=": 4, "<": 4, ">": 4, "<=": 4, ">=": 4, "OP": 4, "<<": 5, ">>": 5, "<<<": 5,
    "+": 6, "-": 6, "*": 7, "/": 7, "%": 7,
}  # fmt: skip
VIEWS: Final = {
    "bit": 1,
    "byte": 8,
    "word": 16,
    "fp16": 16,
    "dword": 32,
    "qword": 64,
    "m128": 128,
    "m256": 256,
}
_KEYWORDS: Final = frozenset({
    "FOR", "ENDFOR", "IF", "ELSE", "ELSIF", "FI", "CASE", "OF", "ESAC", "DO", "WHILE", "OD",
    "DEFINE", "RETURN", "to", "downto",
})  # fmt: skip


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str, int]] = []
        at = 0
        while at < len(text):
            m = _TOKEN.match(text, at)
            if m is None:
                raise TextMistake(f"'{text[at]}' is no part of the operation language", at)
            kind = m.lastgroup or ""
            if kind != "skip":
                word = m.group()
                self.tokens.append((kind, _WORDS.get(word, word) if kind == "name" else word, at))
            at = m.end()
        self.tokens.append(("end", "", len(text)))
        self.index = 0

    @property
    def at(self) -> int:
        return self.tokens[self.index][2]

    def peek(self, ahead: int = 0) -> str:
        kind, word, _ = self.tokens[min(self.index + ahead, len(self.tokens) - 1)]
        return "\n" if kind == "newline" else word

    def kind(self) -> str:
        return self.tokens[self.index][0]

    def newlines(self) -> None:
        while self.peek() in ("\n", ";"):
            self.index += 1

    def fail(self, expected: str) -> TextMistake:
        kind, word, at = self.tokens[self.index]
        found = {"end": "the operation ends", "newline": "the line ends"}.get(kind, f"'{word}'")
        return TextMistake(f"{found}, expected {expected}", at)

    def next(self, want: str) -> None:
        if self.peek() != want:
            raise self.fail(f"'{want}'")
        self.index += 1

    def name(self) -> str:
        if self.kind() != "name" or self.peek() in _KEYWORDS:
            raise self.fail("a name")
        word = self.peek()
        self.index += 1
        return word

    def block(self, *ends: str) -> tuple[Statement, ...]:
        found: list[Statement] = []
        while True:
            self.newlines()
            if self.peek() in ends:
                return tuple(found)
            if self.kind() == "end":
                if "" in ends:
                    return tuple(found)
                raise self.fail(" or ".join(f"'{e}'" for e in ends))
            if ends == ("ESAC",) and self.kind() == "number":
                return tuple(found)
            found.append(self.statement())

    def statement(self) -> Statement:
        reader = _STATEMENTS.get(self.peek())
        if reader is not None and self.kind() == "name":
            at = self.at
            self.index += 1
            return reader(self, at)
        if self.peek() == "BYTE":
            return self.table()
        return self.assignment()

    def assignment(self) -> Statement:
        at = self.at
        if self.kind() != "name" or self.peek() in _KEYWORDS:
            raise self.fail("a statement")
        target = self.postfix()
        op = self.peek()
        if op in (":=", "="):
            self.index += 1
            return Assign(target, self.expression(), at)
        if op in ("+=", "-=", ">>=", "<<="):
            self.index += 1
            return Assign(target, Binary(op[:-1], target, self.expression(), at), at)
        raise self.fail("':='")

    def table(self) -> Statement:
        at = self.at
        self.index += 1
        name = self.name()
        self.next("[")
        self.expression()
        self.next("]")
        self.next("=")
        self.next("{")
        values: list[int] = []
        while self.peek() != "}":
            if self.peek() in ("\n", ","):
                self.index += 1
                continue
            values.append(self.number())
        self.next("}")
        return Table(name, 8, tuple(values), at)

    def number(self) -> int:
        if self.kind() != "number":
            raise self.fail("a number")
        self.index += 1
        return int(self.tokens[self.index - 1][1], 0)

    def loop(self, at: int) -> Statement:
        variable = self.name()
        self.next(":=")
        first = self.expression()
        step = -1 if self.peek() == "downto" else 1
        self.next("downto" if step < 0 else "to")
        last = self.expression()
        body = self.block("ENDFOR")
        self.next("ENDFOR")
        return For(variable, first, last, step, body, at)

    def repetition(self, at: int) -> Statement:
        self.next("WHILE")
        test = self.expression()
        body = self.block("OD")
        self.next("OD")
        return While(test, body, at)

    def condition(self, at: int) -> Statement:
        test = self.expression()
        yes = self.block("ELSE", "ELSIF", "FI")
        no: tuple[Statement, ...] = ()
        if self.peek() == "ELSIF" or (self.peek() == "ELSE" and self.peek(1) == "IF"):
            inner = self.at
            self.index += 1 if self.peek() == "ELSIF" else 2
            return If(test, yes, (self.condition(inner),), at)
        if self.peek() == "ELSE":
            self.index += 1
            no = self.block("FI")
        self.next("FI")
        return If(test, yes, no, at)

    def cases(self, at: int) -> Statement:
        selector = self.expression()
        self.next("OF")
        arms: list[tuple[int, tuple[Statement, ...]]] = []
        self.newlines()
        while self.peek() != "ESAC":
            label = self.number()
            self.next(":")
            arms.append((label, self.block("ESAC")))
        self.next("ESAC")
        return Case(selector, tuple(arms), at)

    def definition(self, at: int) -> Statement:
        name = self.name()
        self.next("(")
        parameters: list[str] = []
        while self.peek() != ")":
            parameters.append(self.name())
            if self.peek() == "[":
                while self.peek() != "]":
                    self.index += 1
                self.next("]")
            if self.peek() == ",":
                self.index += 1
        self.next(")")
        self.next("{")
        body = self.block("}")
        self.next("}")
        return Define(name, tuple(parameters), body, at)

    def result(self, at: int) -> Statement:
        return Return(self.expression(), at)

    def expression(self) -> Expression:
        at = self.at
        test = self.binary(1)
        if self.peek() != "?":
            return test
        self.index += 1
        yes = self.expression()
        self.next(":")
        return Conditional(test, yes, self.expression(), at)

    def binary(self, level: int) -> Expression:
        left = self.unary()
        while (own := _TIGHTNESS.get(self.peek(), 0)) >= level:
            op, at = self.peek(), self.at
            self.index += 1
            while self.peek() == "\n":  # an operator at the end of a line continues it
                self.index += 1
            left = Binary(op, left, self.binary(own + 1), at)
        return left

    def unary(self) -> Expression:
        op, at = self.peek(), self.at
        if op in ("-", "!", "~", "NOT"):
            self.index += 1
            return Unary("NOT" if op == "~" else op, self.unary(), at)
        return self.postfix()

    def postfix(self) -> Expression:
        base = self.atom()
        while True:
            at = self.at
            if self.peek() == "[":
                self.index += 1
                high = self.expression()
                low = high
                if self.peek() == ":":
                    self.index += 1
                    low = self.expression()
                self.next("]")
                base = Slice(base, high, low, at)
            elif self.peek() == ".":
                self.index += 1
                word = self.name()
                if word not in VIEWS:
                    raise TextMistake(
                        f"'.{word}', expected one of {' '.join('.' + v for v in VIEWS)}", at
                    )
                index: Expression | None = None
                if self.peek() == "[":
                    self.index += 1
                    index = self.expression()
                    self.next("]")
                base = View(base, VIEWS[word], index, at)
            else:
                return base

    def atom(self) -> Expression:
        at = self.at
        if self.peek() == "(":
            self.index += 1
            inner = self.expression()
            self.next(")")
            return inner
        if self.kind() == "number":
            return Num(self.number(), at)
        if self.kind() != "name" or self.peek() in _KEYWORDS:
            raise self.fail("an expression")
        name = self.name()
        if self.peek() != "(":
            return Var(name, at)
        self.index += 1
        args: list[Expression] = []
        while self.peek() != ")":
            args.append(self.expression())
            if self.peek() != ",":
                break
            self.index += 1
        self.next(")")
        return Apply(name, tuple(args), at)


_STATEMENTS: Final[dict[str, Callable[[_Parser, int], Statement]]] = {
    "FOR": _Parser.loop,
    "DO": _Parser.repetition,
    "IF": _Parser.condition,
    "CASE": _Parser.cases,
    "DEFINE": _Parser.definition,
    "RETURN": _Parser.result,
}


def parse_operation(text: str) -> tuple[Statement, ...]:
    """Return the statements of an operation; raise :class:`TextMistake`."""
    parser = _Parser(text)
    found = parser.block("")
    if parser.kind() != "end":
        raise parser.fail("the end of the operation")
    return found
