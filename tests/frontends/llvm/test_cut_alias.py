"""Which stores leave bytes alone that were read before."""

from __future__ import annotations

import pytest

from frontends.llvm.function.addresses import Addresses
from frontends.llvm.function.alias import Span, Writes
from frontends.llvm.function.graph import Graph, Kind
from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.frames import Frames
from frontends.llvm.text.ast import Local
from frontends.llvm.text.parse import parse_module

_TEXT = """target triple = "x86_64-pc-linux-gnu"
@g = global [64 x i8] zeroinitializer
define void @f(ptr noalias %a, ptr %b, ptr %c, i1 %k, i128 %w) {
entry:
  %slot = alloca [16 x i8]
  br label %loop
loop:
  %pb = phi ptr [ %b, %entry ], [ %pb1, %loop ]
  %any = phi ptr [ %a, %entry ], [ %b, %loop ]
  %fixed = phi ptr [ inttoptr (i64 4096 to ptr), %entry ], [ %fixed, %loop ]
  %one = select i1 %k, ptr %b, ptr %c
  %pb1 = getelementptr i8, ptr %pb, i64 16
  %far = getelementptr i8, ptr %b, i64 9223372036854775807
  %wide = getelementptr i8, ptr %b, i128 %w
  %x = load <16 x i8>, ptr %READ, align 1
  store <16 x i8> zeroinitializer, ptr WRITTEN, align 1
  br label %loop
}
"""


def leaves(read: str, written: str, low: int = 0, high: int = 16) -> bool:
    text = normalise(_TEXT.replace("%READ", read).replace("WRITTEN", written))
    module = parse_module(text)
    (function,) = module.functions
    frame = Frames.of(module, module).source
    graph = Graph(function, frame.contents, frame.sizes)
    writes = Writes(graph)
    load = graph.places["x"].instr
    (store,) = (p for p in graph.body["loop"] if p.instr.opcode == "store")
    assert store.kind is Kind.EFFECT
    address = writes.addresses.of(load.operands[0])
    assert address is not None
    first = address.moved(low)
    span = Span("loop", first, first.offset, first.offset + high - low, load.metadata)
    return writes.leaves(store, span)


@pytest.mark.parametrize("written", ["%b", "%pb", "%pb1", "%slot", "@g"])
def test_another_object_than_a_noalias_argument(written: str) -> None:
    assert leaves("%a", written)
    apart = written == "%slot"  # what a slot of the stack is, no argument leads to
    assert leaves("%c", written) == apart, "nothing is known of two that are not noalias"


@pytest.mark.parametrize("written", ["%any", "%one", "%fixed", "inttoptr (i64 4096 to ptr)"])
def test_what_may_be_based_on_several_or_on_nothing(written: str) -> None:
    assert not leaves("%a", written)
    assert not leaves("%c", written)


def test_the_same_base_at_another_offset() -> None:
    assert not leaves("%pb", "%pb")
    assert leaves("%pb1", "%pb") and leaves("%pb", "%pb1")
    assert not leaves("%pb1", "%pb", low=-1) and not leaves("%pb", "%pb1", high=17)


def test_addresses_wrap() -> None:
    """Sixteen bytes at the last address of one sign reach those of the other."""
    assert not leaves("%far", "%far", low=1, high=2)
    assert not leaves("%far", "%far", low=15, high=16)
    assert leaves("%far", "%far", low=16, high=17)


def test_a_store_to_no_address_that_is_followed() -> None:
    """An index of more bits than a pointer is not followed."""
    assert not leaves("%a", "%wide")


@pytest.mark.parametrize("word", ["nosync", "nounwind", "willreturn", "read", "argmem"])
def test_what_a_call_that_only_reads_is_declared_as(word: str) -> None:
    """With each word for it; one that may synchronise, say, shows what others wrote."""
    said = "nosync nounwind willreturn memory(argmem: read)"
    text = """declare i8 @llvm.reads(ptr) #0
define void @f(ptr %p) {
  %x = call i8 @llvm.reads(ptr %p)
  ret void
}
attributes #0 = { SAID }
"""

    def may_write(said: str) -> bool:
        module = parse_module(text.replace("SAID", said))
        frame = Frames.of(module, module).source
        writes = Writes(Graph(module.functions[0], frame.contents, frame.sizes))
        return writes.may_write(writes.graph.places["x"])

    less = {"read": "readwrite", "argmem": "inaccessiblemem"}.get(word, "")
    assert not may_write(said) and may_write(said.replace(word, less, 1))


def test_what_is_too_many_steps_away_is_no_address() -> None:
    """A pointer that other steps lead to than are followed is known by nothing, not by a part of
    them.
    """
    steps = [f"  %p{k + 1} = getelementptr i8, ptr %p{k}, i64 1" for k in range(65)]
    text = "define void @f(ptr %p0) {\n" + "\n".join(steps) + "\n  ret void\n}\n"
    module = parse_module(normalise(text))
    (function,) = module.functions
    frame = Frames.of(module, module).source
    graph = Graph(function, frame.contents, frame.sizes)
    addresses = Addresses(graph.function, graph.sizes)
    pointers = [Local(name, graph.places[name].instr.type) for name in ("p63", "p65")]
    near, far = map(addresses.of, pointers)
    assert near is not None and (near.base, near.offset) == ("%p0", 63)
    assert far is None


_BEGINS = """declare void @llvm.lifetime.start.p0(ptr)
define void @f(ptr %a, ptr %b) {
entry:
  %slot = alloca [16 x i8]
  %other = alloca [16 x i8]
  call void @llvm.lifetime.start.p0(ptr %slot)
  %x = load i8, ptr %a, align 1
  store i8 0, ptr %b, align 1
  ret void
}
"""


@pytest.mark.parametrize(
    ("read", "until", "wanted"),
    [
        ("%a", 3, True),
        ("%a", 4, False),
        ("%a", None, False),
        ("%other", 3, True),
        ("%slot", 3, False),
    ],
)
def test_effects_before_the_last_read_of_a_block(
    read: str, until: int | None, wanted: bool
) -> None:
    """Two slots and the beginning of one come before the load, a store behind it: in a block that
    comes once only what is before a read may have written what it reads.
    """
    module = parse_module(normalise(_BEGINS.replace("ptr %a, align", f"ptr {read}, align")))
    (function,) = module.functions
    frame = Frames.of(module, module).source
    graph = Graph(function, frame.contents, frame.sizes)
    writes = Writes(graph)
    address = writes.addresses.of(graph.places["x"].instr.operands[0])
    assert address is not None
    assert writes.never("entry", address, until) is wanted
