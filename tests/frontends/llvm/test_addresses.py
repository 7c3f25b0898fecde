"""Addresses as sums: in an order that no name decides."""

from __future__ import annotations

import pytest

from frontends.llvm.function.addresses import Address, Addresses
from frontends.llvm.text.ast import IntType, Local, PtrType, VectorType
from frontends.llvm.transform.stencils import order
from tests.frontends.llvm.transformed import scope_of

TEXT = """
@second = external global [8 x i8]
@first = external global [8 x i8]
define void @f(ptr %p, i64 %{0}, i64 %{1}) {{
  %x = getelementptr i8, ptr %p, i64 %{1}
  %y = getelementptr i8, ptr %x, i64 %{0}
  %z = getelementptr i8, ptr %p, i64 poison
  %v = load i8, ptr %y, align 1
  %g = load i8, ptr @second, align 1
  %h = load i8, ptr @first, align 1
  ret void
}}
"""


def _found(*names: str) -> tuple[Addresses, list[Address]]:
    graph = scope_of(TEXT.format(*names)).graph
    addresses = Addresses(graph.function, graph.sizes)
    loads = [i for i in graph.function.view if i.opcode == "load"]
    found = [at for i in loads if (at := addresses.of(i.operands[0])) is not None]
    assert len(found) == 3
    return addresses, found


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a"), ("isel.10", "isel.9")])
def test_indices_are_in_the_order_of_their_definitions(names: tuple[str, str]) -> None:
    _, (at, *_) = _found(*names)
    assert at.names == ("p", *names)


def test_an_order_of_lines() -> None:
    """By where bases are defined; globals come behind, as they are first asked for."""
    addresses, (at, *symbols) = _found("b", "a")
    orders = [order(addresses.numbers, x) for x in (*symbols, at)]
    assert orders[0] < orders[1] and orders[2] < orders[0]
    assert order(addresses.numbers, at.moved(8)) == orders[2]


def test_other_operands_in_an_address() -> None:
    """A pointer that is a sum is followed; one that is poison is not."""
    addresses, (at, *_) = _found("a", "b")
    pointer = PtrType()
    moved = addresses.replaced(at, {"p": Local("x", pointer)})
    assert moved is not None and dict(moved.atoms) == {("a", 64): 1, ("b", 64): 2}
    assert addresses.replaced(at, {"p": Local("z", pointer)}) is None


@pytest.mark.parametrize("kind", [IntType(64), VectorType(2, PtrType())])
def test_what_is_no_pointer_has_no_address(kind: IntType | VectorType) -> None:
    addresses, _ = _found("a", "b")
    assert addresses.of(Local("a", kind)) is None
