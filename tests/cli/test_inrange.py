"""What ``isel opt`` and ``isel verify`` make of the word ``inrange`` of clang 14 to 18."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontends.llvm.linked import binding
from tests.cli.modules import CPU, WINDOW, Run, written

PLAIN = "getelementptr inbounds ({ [5 x ptr] }, ptr @T, i32 0, i32 0, i32 2)"
WORD = PLAIN.replace("0, i32 0,", "0, inrange i32 0,")
OTHER = PLAIN.replace("i32 2", "inrange i32 2")
FAR = WORD.replace("i32 2", "i32 3")
START = WORD.replace("i32 2", "i32 0")
TABLE = '@T = external constant { [5 x ptr] }\n@said = constant [14 x i8] c", inrange i32 "\n'


def constructor(address: str, name: str = "f") -> str:
    return f"define void @{name}(ptr   %p) {{ ; as it is\n  store ptr {address}, ptr %p\n  ret void\n}}\n"


def loads(address: str, way: str) -> str:
    """Load by way of an address where a condition holds."""
    return (
        f"define ptr @f(i1 %c) {{\nentry:\n  br i1 {way}, label %a, label %b\na:\n"
        f"  %v = load ptr, ptr {address}\n  ret ptr %v\nb:\n  ret ptr null\n}}\n"
    )


def test_opt_writes_an_unchanged_module_as_it_came(isel: Run, tmp_path: Path) -> None:
    text = TABLE + constructor(WORD)
    ran = isel("opt", written(tmp_path / "a.ll", text), "-S")
    assert (ran.code, ran.out, ran.err) == (0, text, "")


@pytest.mark.parametrize("version", ["16", "22"])
def test_opt_writes_text_that_every_llvm_reads(isel: Run, tmp_path: Path, version: str) -> None:
    path = written(tmp_path / "a.ll", TABLE + constructor(WORD))
    ran = isel("opt", path, "-S", "--llvm-version", version)
    assert (ran.code, ran.out) == (0, TABLE + constructor(PLAIN))


def test_opt_keeps_the_lines_of_functions_beside_rewritten_ones(isel: Run, tmp_path: Path) -> None:
    window = WINDOW.read_text()
    path = written(tmp_path / "a.ll", window + TABLE + constructor(WORD))
    ran = isel("opt", path, "-S", CPU)
    assert "@llvm.x86.avx512.pmul.hr.sw.512" in ran.out
    assert TABLE in ran.out
    assert constructor(PLAIN) in ran.out
    binding.normalise(ran.out)
    after = written(tmp_path / "b.ll", ran.out)
    assert isel("verify", path, after).code == 0


@pytest.mark.parametrize("kind", ["obj", "llvm"])
def test_opt_makes_other_kinds(isel: Run, tmp_path: Path, kind: str) -> None:
    path = written(tmp_path / "a.ll", TABLE + constructor(WORD))
    assert isel("opt", path, f"--filetype={kind}", "-o", tmp_path / "out").code == 0


VTT = f"@V = internal constant [1 x ptr] [ptr {WORD}]\n"
LOADED = "%v = load ptr, ptr @V\n  ret ptr %v"
ENTRY = f"define ptr @f() {{\n  {LOADED}\n}}\n"

# Source, target, and the exit code: 0 proved, 3 not known, 1 what LLVM does not read.
PAIRS = (
    (constructor(WORD), constructor(PLAIN), 0),
    (constructor(WORD), constructor(WORD), 0),
    (constructor(WORD) + constructor(FAR, "g"), constructor(WORD) + constructor(FAR, "g"), 0),
    (constructor(PLAIN), constructor(WORD), 1),
    (constructor(OTHER), constructor(WORD), 1),
    (constructor(FAR), constructor(WORD), 1),
    # Both files hold the constant, and yet not where it counts.
    (
        constructor(PLAIN) + constructor(WORD, "g"),
        constructor(WORD) + constructor(WORD, "g"),
        3,
    ),
    (
        constructor(WORD) + constructor(OTHER, "g"),
        constructor(OTHER) + constructor(OTHER, "g"),
        3,
    ),
    (
        constructor(START.replace("inrange ", "")) + constructor(START, "g"),
        constructor(START) + constructor(START, "g"),
        3,
    ),
    # A table of such addresses.
    (VTT + ENTRY, VTT + ENTRY, 0),
    (VTT + ENTRY.replace(LOADED, f"ret ptr {PLAIN}"), VTT + ENTRY, 3),
    (loads(WORD, "%c"), loads(WORD, "%c"), 0),
    (loads(WORD, "%c"), loads(PLAIN, "%c"), 0),
    (loads(WORD, "%c"), loads(WORD, "true"), 3),
)


@pytest.mark.parametrize(("source", "target", "code"), PAIRS)
def test_verify(isel: Run, tmp_path: Path, source: str, target: str, code: int) -> None:
    a, b = (written(tmp_path / n, TABLE + t) for n, t in (("a.ll", source), ("b.ll", target)))
    ran = isel("verify", a, b)
    assert ran.code == code, ran.out
    assert ("b.ll:" in ran.err and "error: expected ')'" in ran.err) == (code == 1)


@pytest.mark.parametrize(
    ("source", "target", "code"),
    [(WORD, PLAIN, 0), (WORD, WORD, 0), (PLAIN, WORD, 1), (OTHER, WORD, 1)],
)
def test_verify_in_one_file(isel: Run, tmp_path: Path, source: str, target: str, code: int) -> None:
    pair = (constructor(source, "src"), constructor(target, "tgt"))
    for text in (TABLE + "".join(pair), "".join(reversed(pair)) + TABLE):
        assert isel("verify", written(tmp_path / "a.ll", text)).code == code


def test_a_source_that_does_not_end_where_it_seems_to(isel: Run, tmp_path: Path) -> None:
    """A target on the source's lines does not lose the word."""
    source = constructor(PLAIN, "src").replace("}\n", "  }\n")
    path = written(tmp_path / "a.ll", TABLE + source + constructor(WORD, "tgt"))
    assert isel("verify", path).code == 1
    path = written(
        tmp_path / "b.ll",
        f"{TABLE}define ptr @src() {{ ret ptr {PLAIN} }}\ndefine ptr @tgt() {{\n  ret ptr {WORD}\n}}\n",
    )
    assert isel("verify", path).code == 1
