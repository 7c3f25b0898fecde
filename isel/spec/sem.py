"""The reader of the ``.sem`` language (``docs/sem-language.md``): text in, instructions out,
all mistakes reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from isel.errors import IselError, SyntaxProblem
from isel.spec.instruction import Instruction, Predication, Role
from isel.spec.sem_block import Family, Loop, Range, Shape, Text
from isel.spec.sem_check import check_instruction, check_names
from isel.spec.sem_family import Entries, bindings, called, fill, member
from isel.spec.sem_meaning import Numbers
from isel.spec.sem_syntax import Mistake, Node, Parser, parse_expression

_STATEMENT: Final = re.compile(r"(?P<indent>\s*)(?P<word>\w+)\s*(?P<rest>.*?)\s*$", re.DOTALL)
_CONTINUED: Final = re.compile(r"^(\s*)\.\.\.", re.MULTILINE)
_TABLE: Final = re.compile(r"(\w+): *(\d+) *= *((?:[\w.]+\s*)+)")
_STAGE: Final = re.compile(r"none|(merge|zero|\{\w+\})\((\w+)(?:, *(\w+))?\)")
_NAME: Final = re.compile(r"[A-Za-z_]\w*$")
_ROLES: Final = {r.value: r for r in Role}


class SemProblems(IselError):
    """Every mistake of a ``.sem`` file, in order."""

    def __init__(self, problems: tuple[SyntaxProblem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def message(self) -> str:
        """Return one report a mistake."""
        return "\n".join(p.message() for p in self.problems)


@dataclass
class _Draft:
    """A block while its lines are read."""

    name: Text
    loops: list[Loop] = field(default_factory=list)
    constants: list[tuple[str, Node]] = field(default_factory=list)
    operands: list[Shape] = field(default_factory=list)
    immediates: list[Range] = field(default_factory=list)
    result: tuple[Node, Node] | None = None
    definitions: list[tuple[str, Node]] = field(default_factory=list)
    kinds: list[tuple[Node | None, Node]] = field(default_factory=list)
    features: Text | None = None
    mnemonic: Text | None = None
    emission: list[Text] = field(default_factory=list)
    call: Text | None = None
    also: list[Text] = field(default_factory=list)
    predication: Predication = field(default_factory=lambda: Predication("none"))
    patched: Text | None = None
    tables: list[tuple[str, Numbers]] = field(default_factory=list)
    broken: bool = False


class _Reader:
    def __init__(self, text: str, file: str, bare: bool) -> None:
        self.bare = bare
        self.original = text
        self.text = _CONTINUED.sub(lambda m: m[1] + "   ", text)
        self.file = file
        self.mistakes: list[Mistake] = []

    def families(self) -> Iterator[Family]:
        draft: _Draft | None = None
        for line, at in _logical_lines(self.original):
            m = _STATEMENT.match(line)
            if m is None:
                place = at + len(line) - len(line.lstrip())
                self.mistakes.append(Mistake(f"'{line.strip()[0]}', expected a statement", place))
                continue
            word, start = m["word"], at + m.start("rest")
            try:
                if word == "instruction":
                    yield from self.finished(draft)
                    draft = _Draft(Text(m["rest"], start))
                elif draft is None:
                    raise Mistake(f"'{word}' outside of an instruction", at + m.start("word"))
                else:
                    self.statement(draft, word, Text(m["rest"], start), at + m.start("word"))
            except Mistake as mistake:
                self.mistakes.append(mistake)
                if draft is not None:
                    draft.broken = True
        yield from self.finished(draft)

    def statement(self, draft: _Draft, word: str, rest: Text, at: int) -> None:
        if word in _ROLES:
            draft.operands.extend(self.operands(_ROLES[word], rest))
            return
        reader = _STATEMENTS.get(word)
        if reader is None:
            known = " ".join(sorted([*_STATEMENTS, *_ROLES]))
            raise Mistake(f"unknown statement '{word}', expected one of {known}", at)
        reader(self, draft, rest)

    def parser(self, rest: Text) -> Parser:
        return Parser(self.text, rest.at, rest.at + len(rest.text))

    def expression(self, rest: Text) -> Node:
        return parse_expression(self.text, rest.at, rest.at + len(rest.text))

    def shape(self, rest: Text) -> tuple[Node, Node]:
        m = re.search(r"\sx\s", rest.text)
        if m is None:
            raise Mistake(f"'{rest.text}', expected COUNT x WIDTH", rest.at)
        count = Text(rest.text[: m.start()], rest.at)
        return self.expression(count), self.expression(
            Text(rest.text[m.end() :], rest.at + m.end())
        )

    def operands(self, role: Role, rest: Text) -> Iterator[Shape]:
        names, colon, shape = rest.text.partition(":")
        if not colon:
            raise Mistake("expected NAME: COUNT x WIDTH", rest.at + len(rest.text))
        count, width = self.shape(
            Text(shape.strip(), rest.at + len(names) + 1 + len(shape) - len(shape.lstrip()))
        )
        for name in names.split(","):
            yield Shape(role, _identifier(name.strip(), rest.at), count, width)

    def immediate(self, draft: _Draft, rest: Text) -> None:
        parser = self.parser(rest)
        name = parser.name()
        parser.next(":")
        width = parser.binary(1)
        if parser.name() != "in":
            raise Mistake("expected 'in' and the legal values", parser.position)
        ranges: list[tuple[Node, Node]] = []
        while True:
            low = parser.binary(1)
            high = low
            if parser.peek() == "..":
                parser.next()
                high = parser.binary(1)
            ranges.append((low, high))
            if parser.peek() != ",":
                break
            parser.next()
        parser.end()
        draft.immediates.append(Range(name, width, tuple(ranges)))

    def loop(self, draft: _Draft, rest: Text) -> None:
        names, word, rows = rest.text.partition(" in ")
        if not word:
            raise Mistake("expected NAMES in ROWS", rest.at)
        variables = tuple(_identifier(n.strip(), rest.at) for n in names.split(","))
        start = rest.at + len(names) + len(word)
        found = tuple(_rows(Text(rows, start), len(variables)))
        if not found:
            raise Mistake("a loop without rows", start)
        draft.loops.append(Loop(variables, found))

    def named(self, rest: Text) -> tuple[str, Node]:
        name, equals, value = rest.text.partition("=")
        if not equals:
            raise Mistake("expected NAME = EXPRESSION", rest.at)
        return _identifier(name.strip(), rest.at), self.expression(
            Text(value, rest.at + len(name) + 1)
        )

    def result(self, draft: _Draft, rest: Text) -> None:
        draft.result = self.shape(rest)

    def lane(self, draft: _Draft, rest: Text) -> None:
        if not rest.text.startswith("when "):
            draft.kinds.append((None, self.expression(rest)))
            return
        parser = Parser(self.text, rest.at + 5, rest.at + len(rest.text))
        condition = parser.binary(0)
        parser.next(":")
        formula = parser.expression()
        parser.end()
        draft.kinds.append((condition, formula))

    def predication(self, draft: _Draft, rest: Text) -> None:
        m = _STAGE.fullmatch(rest.text)
        if m is None or (m[1] in ("merge", "zero") and (m[1] == "merge") != (m[3] is not None)):
            raise Mistake(
                f"'{rest.text}', expected none, merge(MASK, SOURCE) or zero(MASK)", rest.at
            )
        draft.predication = Predication(m[1] or "none", m[2] or "", m[3] or "")

    def table(self, draft: _Draft, rest: Text) -> None:
        m = _TABLE.fullmatch(rest.text)
        if m is None:
            raise Mistake("expected NAME: WIDTH = NUMBERS", rest.at)
        draft.tables.append(
            (m[1], Numbers(int(m[2]), tuple(int(v, 0) for v in m[3].replace("...", "").split())))
        )

    def finished(self, draft: _Draft | None) -> Iterator[Family]:
        if draft is None or (draft.broken and draft.result is None):
            return
        needed = (
            ("result", draft.result),
            ("lane", draft.kinds),
            ("features", draft.features),
            ("emit or call", draft.emission or draft.call or self.bare),
        )
        missing = [word for word, given in needed if not given]
        if draft.broken:
            missing = []
        if missing or draft.result is None:
            self.mistakes.append(
                Mistake(f"an instruction without {', '.join(missing)}", draft.name.at)
            )
            return
        family = Family(
            draft.name,
            tuple(draft.loops),
            tuple(draft.constants),
            tuple(draft.operands),
            tuple(draft.immediates),
            draft.result[0],
            draft.result[1],
            tuple(draft.definitions),
            tuple(draft.kinds),
            draft.features or Text("", draft.name.at),
            draft.mnemonic,
            tuple(draft.emission),
            draft.call,
            tuple(draft.also),
            draft.predication,
            draft.patched,
            tuple(draft.tables),
            self.file,
        )
        wrong = list(check_names(family))
        self.mistakes.extend(wrong)
        if not wrong and not draft.broken:
            yield family


def _kept(field: str) -> Callable[[_Reader, _Draft, Text], None]:
    """Return what keeps the text of a statement in a field."""
    return lambda _, draft, rest: setattr(draft, field, rest)


_STATEMENTS: Final[dict[str, Callable[[_Reader, _Draft, Text], None]]] = {
    "for": _Reader.loop,
    "let": lambda reader, draft, rest: draft.constants.append(reader.named(rest)),
    "imm": _Reader.immediate,
    "table": _Reader.table,
    "where": lambda reader, draft, rest: draft.definitions.append(reader.named(rest)),
    "result": _Reader.result,
    "lane": _Reader.lane,
    "features": _kept("features"),
    "mnemonic": _kept("mnemonic"),
    "emit": lambda _, draft, rest: draft.emission.append(rest),
    "call": _kept("call"),
    "also": lambda _, draft, rest: draft.also.append(rest),
    "predication": _Reader.predication,
    "patched": _kept("patched"),
}


def _identifier(name: str, at: int) -> str:
    if not _NAME.match(name):
        raise Mistake(f"'{name}', expected a name", at)
    return name


def _rows(rest: Text, columns: int) -> Iterator[tuple[Text, ...]]:
    for m in re.finditer(r"\(([^()]*)\)|(\S+)", rest.text):
        inner, at = (m[1], m.start(1)) if m[1] is not None else (m[2], m.start(2))
        cells: list[Text] = []
        start = 0
        for part in inner.split(",") if m[1] is not None else [inner]:
            cells.append(Text(part.strip(), rest.at + at + start + len(part) - len(part.lstrip())))
            start += len(part) + 1
        if len(cells) != columns:
            raise Mistake(f"{len(cells)} values, expected {columns}", rest.at + at)
        yield tuple(cells)


def _logical_lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield statements and where they start; a line that starts with ``...`` continues the one
    before.
    """
    pending, start, at = "", 0, 0
    for line in text.splitlines(keepends=True):
        stripped = line.lstrip()
        if pending and stripped.startswith("..."):
            pending += line.replace("...", "   ", 1)
        else:
            if pending:
                yield pending, start
            pending, start = ("", at) if not stripped or stripped.startswith("#") else (line, at)
        at += len(line)
    if pending:
        yield pending, start


def read_entries(
    text: str, file: str = "<sem>", *, check: bool = True, bare: bool = False
) -> Entries:
    """Read a file; raise :class:`SemProblems` with every mistake.

    With ``check`` every lane formula is evaluated (for the first, middle and last legal
    immediates), which finds mistakes of width and index; without it they show when a lane is first
    asked for.  With ``bare`` an entry needs no emission.
    """
    reader = _Reader(text, file, bare)
    found: list[Instruction] = []
    names: set[str] = set()
    also: dict[str, Instruction] = {}
    for family in reader.families():
        try:
            for bound in bindings(family):
                instruction = member(family, bound)
                if instruction.name in names:
                    raise Mistake(f"a second '{instruction.name}'", family.name.at)
                if check:
                    check_instruction(instruction, family)
                names.add(instruction.name)
                found.append(instruction)
                for alias in family.also:
                    also.update(
                        (name, called(instruction, name)) for name in fill(alias, bound).split()
                    )
        except Mistake as mistake:
            reader.mistakes.append(mistake)
    if reader.mistakes:
        ordered = sorted(reader.mistakes, key=lambda m: m.position)
        raise SemProblems(tuple(SyntaxProblem(m.what, text, m.position, file) for m in ordered))
    return Entries(tuple(found), also)


def read_sem(
    text: str, file: str = "<sem>", *, check: bool = True, bare: bool = False
) -> tuple[Instruction, ...]:
    """Read the instructions of a file; raise :class:`SemProblems`."""
    return read_entries(text, file, check=check, bare=bare).instructions


def read_block(block: str, file: str) -> Family:
    """Read one block of a file that is known to be right."""
    return next(_Reader(block, file, bare=True).families())
