"""The import of a list of our own: loops, branches, switches, tables, copies; what is left out and
why; mistakes with file, line and entry.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.errors import FileProblem
from semantics.hvx.importer.run import BODIES, import_list
from tests.semantics.hvx.listing import HEADER, SUM, imported, lanes, row

VECTORS = "HVX_Vector Q6_Vb_ours_VbVb(HVX_Vector Vu, HVX_Vector Vv)"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("int i; OURS(8, i) { VdV.b[i] = VuV.b[i] + VvV.b[i]; }", ["lane Vu[i] + Vv[i]"]),
        ("int i; OURS(8, i) { VdV.b[i] = TWICE(VuV.b[i]); }", ["lane zext(trunc(Vu[i], 7), 8) << 1"]),
        # a branch that operands decide, whose arms write different things
        (
            "int i; OURS(8, i) { if (VuV.b[i] > VvV.b[i]) VdV.b[i] = VuV.b[i]; else VdV.b[i] = 0; }",
            ["lane slt(Vv[i], Vu[i]) ? Vu[i] : 0"],
        ),
        # a switch by a number, and a loop over a table
        (
            "int i; OURS(8, i) switch (i & 1) { case 0: VdV.b[i] = VuV.b[i]; break; default: VdV.b[i] = VvV.b[i]; }",
            ["lane when i % 2 == 1: Vv[i]", "lane Vu[i]"],
        ),
        # an address that an operand decides, among few
        (
            "int i; OURS(8, i) { VdV.b[i] = VuV.b[VvV.ub[i] & 1]; }",
            ["lane pick(Vu, 0, 2, bit(Vv[i], 0))"],
        ),
        # copies of whole registers
        ("MMVector t = VuV; int i; VdV = t; OURS(8, i) { VdV.b[i] ^= VvV.b[i]; }", ["lane Vu[i] ^ Vv[i]"]),
        # saturation, by its macro in our words
        (
            "int i; OURS(8, i) { VdV.b[i] = fVSATN(8, VuV.b[i] + VvV.b[i]); }",
            ["lane sadd_sat(Vv[i], Vu[i])"],
        ),
        (
            "int i; OURS(8, i) { VdV.b[i] = (VuV.b[i] + VvV.b[i] + 1) >> 1; }",
            ["lane extract(sext(Vu[i], 9) + sext(Vv[i], 9) + 1, 1, 8)"],
        ),
    ],
)  # fmt: skip
def test_body(tmp_path: Path, body: str, wanted: list[str]) -> None:
    found = imported(tmp_path, {"Q6_Vb_ours_VbVb": SUM}, {"V6_vaddb": f"{{ {body} }}"})
    assert not found.problems
    assert lanes(found) == wanted
    assert (found.specified, found.imported, found.further) == (1, 1, 0)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("int i; OURS(8, i) { VdV.b[i] = NEVER(VuV.b[i]); }", "NEVER"),
        (
            "switch (VuV.b[0]) { case 3: VdV.b[0] = 0; break; case 4: VdV.b[1] = 0; }",
            "a branch that an operand decides",
        ),
        ("int i; OURS(8, i) { VdV.b[VuV.ub[i]] = 0; }", "an address that an operand decides"),
        ("VdV.b[0] = VuV.b[0];", "a result of which not every bit is written"),
        ("int i = 0; for (;;) VdV.b[0] = i++;", "a loop that does not end"),
        ("int i; OURS(8, i) { VdV.b[i] = VuV.b[i] / VvV.b[i]; }", "'/' of a variable"),
    ],
)
def test_mistake(tmp_path: Path, body: str, what: str) -> None:
    """Each names the file of the bodies, the line and the entry."""
    bodies = {"V6_other": "{}", "V6_vaddb": f"{{ {body} }}"}
    found = imported(tmp_path, {"Q6_Vb_ours_VbVb": SUM}, bodies)
    (problem,) = found.problems
    assert what in problem.what
    assert (problem.file, problem.line, problem.intrinsic) == (
        str(tmp_path / BODIES), 5, "Q6_Vb_ours_VbVb",
    )  # fmt: skip
    assert not found.entries


def test_one_mistake_leaves_the_others(tmp_path: Path) -> None:
    other = row("Vd32=vnot(Vu32)", "HVX_Vector Q6_V_other_V(HVX_Vector Vu)", "V6_vnot")
    found = imported(
        tmp_path,
        {"Q6_Vb_ours_VbVb": SUM, "Q6_V_other_V": other},
        {"V6_vaddb": "{ NEVER(VdV) }", "V6_vnot": "{ int i; OURS(32, i) VdV.w[i] = ~VuV.w[i]; }"},
    )
    assert [p.intrinsic for p in found.problems] == ["Q6_Vb_ours_VbVb"]
    assert [e.name for e in found.entries] == ["Q6_V_other_V"]
    assert "Q6_Vb_ours_VbVb\t" in found.left_out


@pytest.mark.parametrize(
    ("entry", "body", "reason"),
    [
        (row("Vd32.b=vadd(Vu32.b,Vv32.b)", VECTORS, "V6_vaddb"), "{ fLOADMMV(VdV, 0) }", ""),
        (row("vscatter(Rt32,Mu2,Vv32.w)=Vw32", "void Q6_vscatter(Word32 Rt)", "V6_x"), "{}", ""),
        (row("Vd32.qf16=vadd(Vu32.hf,Vv32.hf)", VECTORS, "V6_x"), "{}", ""),
        (
            row("Vd32.w=vadd(Vu32.w,Vv32.w,Qx4):carry", "HVX_Vector Q6_c(HVX_Vector Vu, HVX_VectorPred *Qx)", "V6_c"),
            "{}",
            "a second result by pointer",
        ),
        (
            row("Vd32.b=vours(Vu32.b)", "HVX_Vector Q6_o(HVX_Vector Vu)", "V6_vneverheardof"),
            "{ int i; OURS(8, i) VdV.b[i] = VuV.b[i]; }",
            "an intrinsic that LLVM does not select",
        ),
    ],
)  # fmt: skip
def test_left_out(tmp_path: Path, entry: dict[str, object], body: str, reason: str) -> None:
    """Without a reason it is not among those that are counted: memory and floats."""
    builtins = entry["builtins"]
    assert isinstance(builtins, list)
    found = imported(tmp_path, {"ours": entry}, {builtins[0]: body})
    assert not found.entries and not found.problems
    assert list(found.unsupported.values()) == ([reason] if reason else [])
    assert found.specified == bool(reason)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"{", "is no JSON"),
        (b"[]", "holds no intrinsics by name"),
        (b'{"Q6_x": {}}', "KeyError: 'asm'"),
        (
            b'{"Q6_x": {"asm": "", "proto": "?", "builtins": ["V6_x"], "type": ""}}',
            "a prototype that",
        ),
    ],
)
def test_a_list_that_is_none(tmp_path: Path, data: bytes, what: str) -> None:
    imported(tmp_path, {}, {})
    (problem,) = import_list(data, str(tmp_path / "list.json")).problems
    assert what in problem.what and problem.file == str(tmp_path / "list.json")


def test_files_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match=BODIES):
        import_list(b"{}", str(tmp_path / "list.json"))
    imported(tmp_path / "b", {}, {})
    (tmp_path / "b" / BODIES).write_text("[]")
    with pytest.raises(FileProblem, match="holds no bodies"):
        import_list(b"{}", str(tmp_path / "b" / "list.json"))


def test_constants_of_a_register(tmp_path: Path) -> None:
    """A shuffle by bits of a register is an entry for each useful constant, and counts once."""
    entry = row(
        "Vdd32=vshuff(Vu32,Vv32,Rt8)",
        "HVX_VectorPair Q6_W_vshuff_VVR(HVX_Vector Vu, HVX_Vector Vv, Word32 Rt)",
        "V6_vshuffvdd",
        "CVI_VP_VS",
    )
    body = "{ int k; OURS(8, k) { VddV.v[0].b[k] = RtV & 1 ? VuV.b[k] : VvV.b[k]; VddV.v[1].b[k] = VuV.b[k]; } }"
    found = imported(tmp_path, {"Q6_W_vshuff_VVR": entry}, {"V6_vshuffvdd": body})
    assert not found.problems
    assert len(found.entries) == 28
    assert (found.specified, found.imported, found.further) == (1, 1, 27)


def test_header_is_needed(tmp_path: Path) -> None:
    """Nothing stands in for a macro that the vendor's headers do not have."""
    body = {"V6_vaddb": "{ int i; OURS(8, i) VdV.b[i] = TWICE(VuV.b[i]); }"}
    header = HEADER.replace("TWICE", "THRICE")
    found = imported(tmp_path, {"Q6_Vb_ours_VbVb": SUM}, body, header)
    assert [("TWICE" in p.what, p.intrinsic) for p in found.problems] == [(True, "Q6_Vb_ours_VbVb")]
