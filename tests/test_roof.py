"""What is counted of the sources (``make house``)."""

from __future__ import annotations

import ast

import pytest

from tests.roof.circles import components, uses
from tests.roof.complexity import complexity
from tests.roof.floors import floors, levels
from tests.roof.measures import is_participle
from tests.roof.sources import functions, length
from tests.roof.table import number, passed
from tests.roof.trusted import PROOF, imports_of, trusted


def test_circles_are_what_leads_back() -> None:
    graph = {
        "a": {"b"},
        "b": {"c", "d"},
        "c": {"a"},
        "d": {"e"},
        "e": {"d"},
        "f": {"a"},
        "g": set(),
    }
    assert components(graph) == [["a", "b", "c"], ["d", "e"]]


def test_floors_are_the_longest_chains() -> None:
    graph = {"a": {"b", "d"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str](), "e": {"d"}}
    assert levels(graph) == [["d"], ["b", "e"], ["a"]]
    assert floors("frontends.llvm")[0].split()[1:] == ["text"] and not floors("frontends.llvm.text")
    assert "isel.spec.sem_block" not in uses("isel.spec.sem_check", types=False)


@pytest.mark.parametrize(
    ("body", "ways"),
    [
        ("return 1", 1),
        ("return 1 if a and b else [x for x in y if x]", 5),
        ("for x in y:\n        pass\n    else:\n        pass", 3),
        ("match a:\n        case 1: pass\n        case _: pass", 2),
        ("try:\n        pass\n    except A:\n        pass", 2),
        ("def g():\n        if a: pass\n    return g", 1),
    ],
)
def test_complexity_is_radons(body: str, ways: int) -> None:
    first = next(functions(ast.parse(f"def f():\n    {body}\n")))
    assert complexity(first) == ways


def test_participles() -> None:
    assert [
        w for w in ("made", "joined", "_apart", "apart", "need", "joined_at") if is_participle(w)
    ] == [
        "made",
        "joined",
        "apart",
    ]


def test_a_limit_that_is_passed_is_said() -> None:
    assert passed({"circles": {"isel/ir": 0}}) == []
    assert (
        number({"lines": {"isel/ir": 2, "isel/smt": 3, "bench": 4}}, "lines", "isel/ir+bench") == 6
    )
    first, _ = passed({"circles": {"isel/ir": 99}})
    assert first.startswith("circles in isel/ir: 99, at most ")


def test_a_proof_trusts_what_it_imports_but_for_text_terms_and_solvers() -> None:
    found = trusted()
    assert found["frontends/llvm"] > 1000 and not found.keys() & {"isel/ir", "isel/smt"}
    assert imports_of("isel.ir.expr") >= {"isel.ir.expr", "isel.ir.ops"}
    assert sum(found.values()) < sum(map(length, imports_of(PROOF)))
