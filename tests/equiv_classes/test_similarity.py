"""What is one class and what is not, and that a class is its members."""

from __future__ import annotations

from dataclasses import replace

import pytest

from equiv_classes.build import Built, build
from equiv_classes.dictionary import EquivClass, Member, read, write
from equiv_classes.prove import describe, prove_member
from isel.model.verdict import Proved, Refuted
from tests.equiv_classes.entries import binary, entry, instructions, source

ADD = binary("add", "a[i] + b[i]")
SUB = binary("sub", "a[i] - b[i]")
ODD = entry("odd", "in a: n x w", "lane a[i * i % n]", loops=("w in 8", "bits in 128 256"))


def built(*entries: str) -> Built:
    found = build([source(*entries)], "test")
    assert found.rejected == ()
    return found


def classes(*entries: str) -> tuple[EquivClass, ...]:
    return built(*entries).dictionary.classes


def groups(*entries: str) -> list[set[str]]:
    """Return the classes as sets of names without widths."""
    return [{m.name.partition("_")[0] for m in c.members} for c in classes(*entries)]


def test_widths_and_lane_counts_are_parameters() -> None:
    (c,) = classes(ADD)
    assert c.name == "add"
    assert c.parameters == ("w", "n")
    assert [k.term for k in c.formula.kinds] == ["(add a[i0*w]:w b[i0*w]:w)"]
    assert [m.values for m in c.members] == [(8, 8), (8, 16), (16, 4), (16, 8)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a[i] + b[i]", "a[i] - b[i]"),
        ("sadd_sat(a[i], b[i])", "uadd_sat(a[i], b[i])"),
        ("smulhi(a[i], b[i])", "umulhi(a[i], b[i])"),
        ("smin(a[i], b[i])", "smax(a[i], b[i])"),
        ("mask_of(eq(a[i], b[i]), w)", "mask_of(ne(a[i], b[i]), w)"),
        ("uavg(a[i], b[i])", "a[i] + b[i]"),
    ],
)
def test_operators_are_never_parameters(first: str, second: str) -> None:
    assert groups(binary("one", first), binary("other", second)) == [{"one"}, {"other"}]


def test_signs_of_extensions_and_of_saturation_are_not_parameters() -> None:
    extend = [
        entry(name, "in a: n x w", f"lane {name}(a[i], 2 * w)", result="n x 2 * w")
        for name in ("zext", "sext")
    ]
    assert groups(*extend) == [{"zext"}, {"sext"}]
    # the same operators, and literals that differ only in what they mean for the width
    narrow = [
        entry(name, "in a: n x 4 * w", f"lane sat_{name}(a[i], w)") for name in ("s", "su", "u")
    ]
    assert groups(*narrow) == [{"s"}, {"su"}, {"u"}]


def test_operands_may_change_places() -> None:
    (c,) = classes(binary("sub", "a[i] - b[i]"), binary("subr", "b[i] - a[i]"))
    assert {m.name.partition("_")[0]: dict(m.operands) for m in c.members} == {
        "sub": {"a": "a", "b": "b"},
        "subr": {"a": "b", "b": "a"},
    }
    assert groups(
        binary("gt", "mask_of(sgt(a[i], b[i]), w)"), binary("lt", "mask_of(slt(a[i], b[i]), w)")
    ) == [{"gt", "lt"}]


def test_offsets_are_completed_by_none() -> None:
    low = entry("low", "in a: 2 * n x w", "lane a[i]")
    high = entry("high", "in a: 2 * n x w", "lane a[n + i]")
    even = entry("even", "in a: 2 * n x w", "lane a[2 * i]")
    (c,) = classes(low, high, even)
    assert c.name == "move"
    assert {m.name.partition("_")[0] for m in c.members} == {"low", "high", "even"}


def test_an_operand_is_not_fixed() -> None:
    add = binary("add", "a[i] + b[i]")
    madd = entry("madd", "in a, b, c: n x w", "lane a[i] * b[i] + c[i]")
    splat = entry("plus", "in a: n x w", "lane a[i] + 1")
    assert groups(add, madd, splat) == [{"add"}, {"madd"}, {"plus"}]


def test_predication_is_counted_apart() -> None:
    merge = entry("addm", "in a, b: n x w", "predication merge(k, src)", "lane a[i] + b[i]")
    zero = entry("addz", "in a, b: n x w", "predication zero(k)", "lane a[i] + b[i]")
    (c,) = classes(ADD, merge, zero)
    assert c.modes == ("none", "merge", "zero")
    assert {m.mode for m in c.members} == {"none", "merge", "zero"}
    compare = entry("cmp", "in a, b: n x w", "lane eq(a[i], b[i])", result="n x 1")
    masked = entry(
        "cmpk", "mask k: n x 1", "in a, b: n x w", "lane k[i] & eq(a[i], b[i])", result="n x 1"
    )
    (c,) = classes(compare, masked)
    assert c.modes == ("none", "zero")


def test_immediates_are_operands() -> None:
    shift = entry("shl", "in a: n x w", "imm m: 8 in 1..7", "lane a[i] << m")
    shuffle = entry(
        "shuffle", "in a: n x w", "imm m: 8 in 0..255", "lane a[i / 4 * 4 + (m >> i % 4 * 2 & 3)]"
    )
    one, other = classes(shift, shuffle)
    assert one.formula.kinds[0].term == "(shl a[i0*w]:w m0:w)"
    assert "bits(m0," in other.formula.kinds[0].term


def test_an_immediate_that_chooses_operators_makes_several_members() -> None:
    compare = entry(
        "cmp",
        "in a, b: n x w",
        "imm p: 8 in 0..2",
        "lane p == 0 ? eq(a[i], b[i]) : p == 1 ? slt(a[i], b[i]) : ult(a[i], b[i])",
        result="n x 1",
    )
    found = classes(compare)
    assert [c.name for c in found] == ["cmp_eq", "cmp_slt", "cmp_ult"]
    assert [c.members[0].settings for c in found] == [((0,),), ((1,),), ((2,),)]


def test_ternary_logic_is_a_table_by_immediate() -> None:
    ternary = entry(
        "ternary", "in a, b, c: n x w", "imm m: 8 in 0..255", "lane truth(m, a[i], b[i], c[i])"
    )
    (c,) = classes(ternary)
    assert c.formula.kinds[0].term == "(truth m0 a[i0*w]:w b[i0*w]:w c[i0*w]:w)"


def test_lookups_by_an_index_are_one_operator() -> None:
    loops = ("w in 8 16", "bits in 64 128")
    permute = entry(
        "perm",
        "in a: n x w",
        "index x: n x w",
        "lane pick(a, 0, n, trunc(x[i], n == 4 ? 2 : n == 8 ? 3 : 4))",
        loops=loops,
    )
    (c,) = classes(permute)
    assert c.formula.kinds[0].term.startswith("(pick ")


def test_lanes_of_several_functions() -> None:
    alternate = entry("addsub", "in a, b: n x w", "lane i % 2 == 0 ? a[i] - b[i] : a[i] + b[i]")
    (c,) = classes(alternate)
    assert [k.index for k in c.formula.kinds] == ["i0*2", "1+i0*2"]


def test_what_is_not_understood_stands_alone() -> None:
    found = classes(ADD, ODD)
    assert [(c.name, c.reason) for c in found[1:]] == [
        ("odd_8_128", "offsets are not affine"),
        ("odd_8_256", "offsets are not affine"),
    ]


def merged() -> EquivClass:
    """Return a class that wrongly says that subtraction is the addition."""
    (c,) = classes(ADD)
    wrong = Member("toy", "sub_8_64", "none", {"a": "a", "b": "b"}, (8, 8))
    return replace(c, members=(*c.members, wrong))


def test_a_merged_class_of_add_and_sub_is_rejected() -> None:
    add, sub = instructions(ADD)[0], instructions(SUB)[0]
    c = merged()
    assert isinstance(prove_member(c, c.members[0], add).verdict, Proved)
    answer = prove_member(c, c.members[-1], sub).verdict
    assert isinstance(answer, Refuted)
    assert describe(answer).startswith("refuted: sub_8_64 lane 0")


def test_a_dictionary_reads_as_it_was_written() -> None:
    found = built(ADD, SUB, ODD, entry("shl", "in a: n x w", "imm m: 8 in 1..7", "lane a[i] << m"))
    text = write(found.dictionary, "test")
    assert read(text) == found.dictionary
    assert write(read(text), "test") == text


def test_a_comparison_is_of_any_width_of_result() -> None:
    """A mask of bits is extended to its own width, as a mask of lanes is to the lanes'."""
    bits = [
        entry(f"{op}k", "in a, b: n x w", f"lane {op}(a[i], b[i])", result="n x 1")
        for op in ("slt", "ult", "eq", "ne")
    ]
    lanes = [binary(op, f"mask_of({op}(a[i], b[i]), w)") for op in ("slt", "ult", "eq", "ne")]
    found = classes(*bits, *lanes)
    assert [c.name for c in found] == ["cmp_slt", "cmp_ult", "cmp_eq", "cmp_ne"]
    assert {m.values[1] for m in found[0].members} == {1, 8, 16}
    zeros = entry("zero", "in a, b: n x w", "lane zext(eq(a[i], b[i]), w)")
    assert groups(bits[2], zeros) == [{"eqk"}, {"zero"}]


def test_a_product_of_extended_factors_is_a_sum_of_one() -> None:
    def product(k: str, sign: str = "sext") -> str:
        return f"{sign}(a[{k}], 2 * w) * {sign}(b[{k}], 2 * w)"

    def add(name: str, term: str, sources: str = "in a, b: 2 * n x w") -> str:
        return entry(name, sources, f"lane {term}", result="n x 2 * w")

    third = "in a, b: 2 * n x w\n  in c: n x 2 * w"
    one, two = add("one", product("i")), add("two", f"{product('2 * i')} + {product('2 * i + 1')}")
    (c,) = classes(one, two)
    assert c.name == "fold_add_mul_sext_a_sext_b"
    assert {m.values[c.parameters.index("p")] for m in c.members} == {1, 2}
    unsigned = add("unsigned", product("i", "zext"))
    assert groups(two, unsigned) == [{"two"}, {"unsigned"}]
    less = add("less", f"c[i] - {product('i')}", third)
    more = add("more", f"c[i] + {product('i')}", third)
    dot = add("dot", f"c[i] + {product('2 * i')} + {product('2 * i + 1')}", third)
    assert groups(less, more, dot) == [{"less"}, {"more", "dot"}]


def test_the_order_of_targets_does_not_change_a_byte() -> None:
    parts = [replace(source(x), name=name) for name, x in (("arm", ADD), ("x86", SUB))]
    first, second = (write(build(x, "test").dictionary, "test") for x in (parts, parts[::-1]))
    assert first == second


def test_workers_do_not_change_a_byte() -> None:
    sources = [source(ADD, SUB, name="one"), source(binary("plus", "a[i] + b[i]"), name="two")]
    texts = [write(build(sources, "test", jobs).dictionary, "test") for jobs in (1, 2)]
    assert texts[0] == texts[1]
    (c, _) = read(texts[0]).classes
    assert {m.target for m in c.members} == {"one", "two"}


def test_equal_formulas_written_differently_are_one_class() -> None:
    """(a | b) + (a & b) is a + b, and the mean rounded up is also (a | b) - ((a ^ b) >> 1):
    similarity by proof.
    """
    odd = binary("plus", "(b[i] | a[i]) + (a[i] & b[i])")
    mean = binary("mean", "uavg(a[i], b[i])")
    other = entry(
        "mean2",
        "in a, b: n x w",
        "lane (b[i] | a[i]) - lshr(a[i] ^ b[i], 1)",
        loops=("w in 8", "bits in 64 128"),
    )
    assert groups(ADD, odd, mean, other) == [{"add", "plus"}, {"mean", "mean2"}]


def test_equal_formulas_keep_their_places() -> None:
    """Operands, offsets and predication are those of each member."""
    odd = entry(
        "odd",
        "in x, y: 2 * n x w",
        "where j = 2 * i + 1",
        "predication zero(k)",
        "lane ~(~x[j] + y[j])",
        result="n x w",
    )
    (c,) = classes(SUB, odd)
    assert c.name == "sub"
    assert {m.name.partition("_")[0]: (dict(m.operands), m.mode) for m in c.members} == {
        "sub": ({"a": "a", "b": "b"}, "none"),
        "odd": ({"a": "x", "b": "y", "k": "k"}, "zero"),
    }


def test_degenerate_immediates_belong_to_the_formula() -> None:
    """A shift by 0 is a move and one by the width is 0, yet neither makes a class."""
    shift = entry(
        "shl",
        "in a: n x w",
        "imm m: 8 in 0..255",
        "predication merge(k, src)",
        "lane a[i] << m",
        loops=("w in 8 16", "bits in 64"),
    )
    (c,) = classes(shift)
    assert c.formula.kinds[0].term == "(shl a[i0*w]:w m0:w)"
    assert all(not m.settings for m in c.members)
    rows = entry(
        "slide",
        "in a: n x w",
        "imm m: 8 in 0..40",
        "lane when i >= m: a[i - m]",
        "lane 0",
        loops=("w in 8", "bits in 64 128"),
    )
    (c,) = classes(rows)
    assert all(not m.settings for m in c.members)


def test_nests_are_aligned() -> None:
    """With one block of 128 bits a register, packing is still a loop over lanes, operands and
    blocks: blocks are the only parameter.
    """
    lines = (
        "in a, b: n / 2 x 2 * w",
        "let m = 128 / w",
        "where j = i / m * m / 2 + i % m % (m / 2)",
        "lane sat_s(i % m < m / 2 ? a[j] : b[j], w)",
    )
    (c,) = classes(entry("pack", *lines, loops=("w in 8", "bits in 128 256 512")))
    assert len(c.parameters) == 1
    assert [m.values for m in c.members] == [(16,), (32,), (64,)]
    assert [bound for _, bound in c.formula.kinds[0].loops] == ["8", "2", "n//16"]


def test_a_sum_of_bits_may_be_narrow() -> None:
    """A vendor counts in as few bits as the count needs; that is the same operator."""
    narrow = entry(
        "count",
        "in a: n x w",
        "lane zext(fold(+, k < w, zext(bit(a[i], k), 5)), w)",
        loops=("w in 8 16", "bits in 64"),
    )
    (c,) = classes(narrow)
    assert "(popcount " in c.formula.kinds[0].term


def test_an_immediate_may_move_the_predicate_too() -> None:
    """Where the lanes of a kind follow the immediate, so do the predicate's bits."""
    rows = entry(
        "slide",
        "in a: n x w",
        "imm m: 8 in 0..7",
        "predication merge(k, src)",
        "lane i >= m ? a[i - m] : ~a[i]",
        loops=("w in 8", "bits in 64"),
    )
    (c,) = classes(rows)
    assert all(not m.settings for m in c.members)
    assert any("m0" in stage[0] for stage in c.formula.modes["merge"])


def test_kinds_of_one_instruction_may_differ_in_predication() -> None:
    """Lanes shifted in are 0 under the predicate, which is a choice and no core."""
    rows = entry(
        "slide",
        "in a: n x w",
        "imm m: 8 in 1..7",
        "predication merge(k, src)",
        "lane i >= m ? a[i - m] : a[i] ^ a[i]",
        loops=("w in 8", "bits in 64"),
    )
    (c,) = classes(rows)
    assert any(() in stages and any(stages) for stages in c.formula.modes.values())
    assert read(write(built(rows).dictionary, "test")).classes == (c,)
