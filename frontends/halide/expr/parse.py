"""The grammar of printed expressions, typed as it is read.

``(T)f(…)`` and ``(T)f[…]`` say of what type a call or a load is, ``T(e)`` converts, ``(T)3`` is a
literal; what says nothing is int32.  Beyond what Halide prints, reductions are written
``sum(r in 0..3: BODY)``, a literal beside a vector is in all of its lanes, and a name that is
widened to a vector, ``uint16x32(a)``, is an input of half the bits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NoReturn

from frontends.halide.expr.operations import FUNCTIONS, OPERATORS, SYNONYMS
from frontends.halide.expr.shuffles import SHUFFLES, picked
from frontends.halide.expr.tokens import Token, tokens
from frontends.halide.expr.tree import Node, matched, vector_input
from frontends.halide.expr.types import BOOL, FLOAT32, INT32, Type, known_type, read_type
from isel.errors import SyntaxProblem

_LEVELS: Final[tuple[Mapping[str, str], ...]] = (
    {"||": "or"},
    {"&&": "and"},
    {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"},
    {"+": "add", "-": "sub"},
    {"*": "mul", "/": "div", "%": "mod"},
)
_DEEPEST: Final = 80
_BYTE: Final = 8
REDUCTIONS: Final = ("sum", "maximum", "minimum", "saturating_sum")
_VECTOR_REDUCTIONS: Final = {
    "vector_reduce_add": "sum",
    "vector_reduce_max": "maximum",
    "vector_reduce_min": "minimum",
    "vector_reduce_saturating_add": "saturating_sum",
}
_BROADCAST: Final = re.compile(r"x([1-9]\d*)$")
_PRINTED: Final = re.compile(
    r"\s*<halide\.Expr of type (?P<type>\w+): (?P<inside>.*)>\s*", re.DOTALL
)  # what print() of one shows in Python
_OF_NUMBER: Final = ("number", "float")


def parse(
    text: str,
    *,
    file: str = "<expression>",
    variables: Mapping[str, Type] | None = None,
    buffers: Mapping[str, Type] | None = None,
) -> Node:
    """Read one expression, also within what Python prints around it.

    ``variables`` and ``buffers`` give the element types of names that the text does not annotate
    (int32 otherwise). Raises :class:`isel.errors.SyntaxProblem` for what is no expression or is
    ill-typed.
    """
    printed = _PRINTED.fullmatch(text)
    if printed is None:
        return _parsed(text, file, variables or {}, buffers or {})
    try:
        node = _parsed(printed["inside"], file, variables or {}, buffers or {})
    except SyntaxProblem as problem:
        at = printed.start("inside") + problem.position
        raise SyntaxProblem(problem.what, text, at, file) from None
    if node.type != known_type(printed["type"]):
        what = f"the expression is {node.type}, not {printed['type']}"
        raise SyntaxProblem(what, text, printed.start("type"), file)
    return node


def _parsed(
    text: str, file: str, variables: Mapping[str, Type], buffers: Mapping[str, Type]
) -> Node:
    reader = _Reader(text, file, variables, buffers)
    node = reader.expression()
    if reader.now.kind != "end":
        reader.fail(f"expected an operator or the end, found '{reader.now.text}'")
    return node


class _Reader:
    def __init__(
        self, text: str, file: str, variables: Mapping[str, Type], buffers: Mapping[str, Type]
    ) -> None:
        self.text = text
        self.file = file
        self.variables = variables
        self.buffers = buffers
        self.words = tokens(text, file)
        self.next = 0
        self.depth = 0

    @property
    def now(self) -> Token:
        return self.words[self.next]

    def ahead(self, n: int) -> Token:
        return self.words[min(self.next + n, len(self.words) - 1)]

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        raise SyntaxProblem(what, self.text, self.now.at if at is None else at, self.file)

    def take(self, text: str) -> bool:
        if self.now.kind in ("mark", "name") and self.now.text == text:
            self.next += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.take(text):
            self.fail(f"expected '{text}', found '{self.now.text or 'the end'}'")

    def name(self, what: str) -> str:
        if self.now.kind != "name":
            self.fail(f"expected {what}, found '{self.now.text or 'the end'}'")
        self.next += 1
        return self.words[self.next - 1].text

    def expression(self) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail("the expression is nested too deeply")
        is_let = self.now.text == "let" and self.ahead(1).kind == "name"
        node = self.let() if is_let else self.level(0)
        self.depth -= 1
        return node

    def let(self) -> Node:
        at = self.now.at
        self.expect("let")
        name = self.name("a variable")
        self.expect("=")
        value = self.expression()
        self.expect("in")
        body = self.scoped(name, value.type)
        return Node("let", body.type, (value, body), name, at=at)

    def scoped(self, name: str, type_: Type) -> Node:
        outside = self.variables
        self.variables = {**outside, name: type_}
        body = self.expression()
        self.variables = outside
        return body

    def level(self, n: int) -> Node:
        if n == len(_LEVELS):
            return self.unary()
        left = self.level(n + 1)
        while self.now.kind == "mark" and self.now.text in _LEVELS[n]:
            at, op = self.now.at, _LEVELS[n][self.now.text]
            self.next += 1
            left = self.typed(op, (left, self.level(n + 1)), at)
        return left

    def unary(self) -> Node:
        at = self.now.at
        if self.take("!"):
            return self.typed("not", (self.unary(),), at)
        if self.now.text == "-" and self.ahead(1).kind in _OF_NUMBER:
            return self.literal(INT32 if self.ahead(1).kind == "number" else FLOAT32)
        return self.primary(self.annotation(), at)

    def annotation(self) -> Type | None:
        """Take ``(T)`` where a primary follows it."""
        if self.now.text != "(" or self.ahead(1).kind != "name" or self.ahead(2).text != ")":
            return None
        found = read_type(self.ahead(1).text)
        if found is None:
            return None
        after = self.ahead(3)
        if after.kind not in ("name", *_OF_NUMBER) and after.text != "-":
            self.fail(f"expected a literal, a call or a load behind '({found})'", after.at)
        self.next += 3
        return found

    def primary(self, annotation: Type | None, at: int) -> Node:
        if self.now.text == "-" or self.now.kind in _OF_NUMBER:
            return self.literal(annotation or (INT32 if self.now.kind == "number" else FLOAT32))
        if annotation is None and self.take("("):
            node = self.expression()
            self.expect(")")
            return node
        name = self.name("an expression")
        if self.now.text == "(":
            return self.call(name, annotation, at)
        if self.now.text == "<" and name == "reinterpret" and read_type(self.ahead(1).text):
            return self.reinterpret(at)
        if self.take("["):
            index = self.expression()
            self.expect("]")
            return self.load(name, annotation, (index,), at)
        return self.variable(name, annotation, at)

    def variable(self, name: str, annotation: Type | None, at: int) -> Node:
        known = self.variables.get(name)
        if known is not None and annotation not in (None, known):
            self.fail(f"'{name}' is {known}, not {annotation}", at)
        return Node("var", known or annotation or INT32, name=name, at=at)

    def literal(self, type_: Type) -> Node:
        at = self.now.at
        negative = self.take("-")
        word = self.now
        if word.kind not in _OF_NUMBER:
            self.fail(f"expected a number, found '{word.text or 'the end'}'")
        self.next += 1
        if type_.lanes > 1:
            self.fail(f"a literal of the vector type {type_}", at)
        if type_.is_float:
            return Node("const", type_, name=("-" if negative else "") + word.text, at=at)
        if word.kind == "float":
            self.fail(f"expected an integer of type {type_}, found {word.text}", at)
        value = -int(word.text) if negative else int(word.text)
        if not type_.low <= value <= type_.high:
            self.fail(f"{value} is no {type_}", at)
        return Node("const", type_, numbers=(value,), at=at)

    def reinterpret(self, at: int) -> Node:
        self.next += 1
        type_ = read_type(self.name("a type"))
        assert type_ is not None
        self.expect(">")
        (a,) = self.arguments("reinterpret", 1)
        return self.reinterpreted(type_, a, at)

    def reinterpreted(self, type_: Type, a: Node, at: int) -> Node:
        if type_.bits * type_.lanes != a.type.bits * a.type.lanes:
            self.fail(f"reinterpret: expected the bits of {type_}, found {a.type}", at)
        return Node("reinterpret", type_, (a,), at=at)

    def load(self, name: str, annotation: Type | None, index: tuple[Node, ...], at: int) -> Node:
        lanes = max(i.type.lanes for i in index)
        for i in index:
            if i.type.is_float or i.type.is_bool or i.type.lanes not in (1, lanes):
                self.fail(f"expected an integer as an index of '{name}', found {i.type}", i.at)
        type_ = (annotation or self.buffers.get(name, INT32)).of(lanes)
        if annotation is not None and annotation.lanes not in (1, lanes):
            self.fail(f"{annotation} loaded at {lanes} places", at)
        return Node("load", type_, index, name, at=at)

    def arguments(self, name: str, arity: int | None = None) -> tuple[Node, ...]:
        at = self.now.at
        self.expect("(")
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        self.expect(")")
        if arity is not None and len(found) != arity:
            self.fail(f"'{name}' takes {arity} operand{'s' * (arity != 1)}, found {len(found)}", at)
        return tuple(found)

    def call(self, name: str, annotation: Type | None, at: int) -> Node:
        name = SYNONYMS.get(name, name)
        wanted = read_type(name)
        broadcast = _BROADCAST.match(name)
        if wanted is not None:
            return self.converted(wanted, self.arguments(name, 1)[0], annotation, at)
        if broadcast is not None:
            (a,) = self.arguments(name, 1)
            n = int(broadcast[1])
            node = Node("broadcast", a.type.of(a.type.lanes * n), (a,), numbers=(n,), at=at)
            return self.checked(node, annotation)
        if name in REDUCTIONS and self.ahead(2).text == "in":
            return self.checked(self.reduction(name, at), annotation)
        if name == "ramp":
            return self.checked(self.ramp(at), annotation)
        if name in _VECTOR_REDUCTIONS:
            return self.vector_reduction(name, annotation, at)
        if name in SHUFFLES:
            return self.checked(self.shuffle(name, at), annotation)
        if name == "reinterpret" and annotation is not None:
            return self.reinterpreted(annotation, self.arguments(name, 1)[0], at)
        if name in FUNCTIONS:
            return self.typed(name, self.arguments(name, FUNCTIONS[name].arity), at, annotation)
        return self.load(name, annotation, self.arguments(name), at)

    def checked(self, node: Node, annotation: Type | None) -> Node:
        if annotation is not None and annotation != node.type:
            self.fail(f"this is {node.type}, not {annotation}", node.at)
        return node

    def converted(self, wanted: Type, a: Node, annotation: Type | None, at: int) -> Node:
        is_bare = a.op == "var" and self.words[self.next - 3].text == "("
        if is_bare and a.name not in self.variables and wanted.lanes > a.type.lanes:
            a = vector_input(a.name, wanted.narrow if wanted.bits > _BYTE else wanted, a.at)
        if wanted.lanes not in (1, a.type.lanes) or annotation not in (None, wanted):
            self.fail(f"a conversion of {a.type} to {wanted}", at)
        return Node("cast", wanted.of(a.type.lanes), (a,), at=at)

    def typed(
        self, op: str, args: tuple[Node, ...], at: int, annotation: Type | None = None
    ) -> Node:
        function = FUNCTIONS.get(op) or OPERATORS[op]
        found = function.rule([a.type for a in args], annotation)
        if isinstance(found, str) and len(args) == 2:
            args = matched(*args)
            found = function.rule([a.type for a in args], annotation)
        if isinstance(found, str):
            self.fail(f"'{op}' takes {found}", at)
        if annotation is not None and annotation != found:
            self.fail(f"'{op}' of these operands is {found}, not {annotation}", at)
        return Node(op, found, args, at=at)

    def reduction(self, name: str, at: int) -> Node:
        self.expect("(")
        variable = self.name("a variable")
        self.expect("in")
        first = self.bound()
        self.expect("..")
        last = self.bound()
        if last < first:
            self.fail(f"the range {first}..{last} is empty", at)
        self.expect(":")
        body = self.scoped(variable, INT32)
        self.expect(")")
        if body.type.is_float or body.type == BOOL:
            self.fail(f"'{name}' takes integers, found {body.type}", at)
        args = (body, Node("var", INT32, name=variable, at=at))
        return Node("reduce", body.type, args, name, (first, last), at)

    def bound(self) -> int:
        return self.literal(INT32).numbers[0]

    def ramp(self, at: int) -> Node:
        base, stride, count = self.arguments("ramp", 3)
        if base.type != stride.type or count.op != "const" or count.numbers[0] < 2:
            what = "a base and a stride of one type and a number of lanes from 2"
            self.fail(f"'ramp' takes {what}", at)
        n = count.numbers[0]
        return Node("ramp", base.type.of(base.type.lanes * n), (base, stride), numbers=(n,), at=at)

    def vector_reduction(self, name: str, annotation: Type | None, at: int) -> Node:
        (a,) = self.arguments(name, 1)
        type_ = annotation or a.type.of(1)
        if type_.of(a.type.lanes) != a.type or a.type.lanes % type_.lanes:
            given = f"{a.type.of(1)}s in a divisor of {a.type.lanes} lanes"
            self.fail(f"'{name}' of {a.type} gives {given}, not {type_}", at)
        return Node("vector_reduce", type_, (a,), _VECTOR_REDUCTIONS[name], at=at)

    def shuffle(self, name: str, at: int) -> Node:
        found = self.arguments(name)
        constants = {"slice_vectors": 3, "extract_element": 1}.get(name)
        if name == "shuffle":
            vector = (k for k, a in enumerate(reversed(found)) if a.op != "const")
            constants = next(vector, len(found))
        split = len(found) - (constants or 0)
        vectors, rest = found[:split], found[split:]
        if len({v.type.of(1) for v in vectors}) != 1 or any(c.op != "const" for c in rest):
            also = f" and {constants} constants" if constants else ""
            self.fail(f"'{name}' takes vectors of one type{also}", at)
        lanes, total = picked(name, [v.type.lanes for v in vectors], [c.numbers[0] for c in rest])
        if any(not 0 <= k < total for k in lanes) or not lanes:
            self.fail(f"'{name}' of {total} lanes takes a lane that is not there", at)
        return Node("shuffle", vectors[0].type.of(len(lanes)), vectors, numbers=tuple(lanes), at=at)
