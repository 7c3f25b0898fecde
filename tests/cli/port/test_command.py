"""``isel port`` from end to end: what is ported, what is left out and named, where code runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isel.cli.port.compile import Port
from isel.cli.port.machines import CPUS
from isel.cli.port.versions import Versions
from isel.model.verdict import Proved
from tests.cli.modules import Run, written

CLANG = ("--clang", "clang-19")
ADD = """\
#include <emmintrin.h>
void add(char *d, const char *s) {
  __m128i x = _mm_loadu_si128((const __m128i *)d), y = _mm_loadu_si128((const __m128i *)s);
  _mm_storeu_si128((__m128i *)d, _mm_adds_epu8(x, y));
}
"""
MASKED = """\
static inline void part(char *d, __m128i x) { _mm_maskmoveu_si128(x, x, d); }
void masked(char *d, const char *s) {
  part(d, _mm_loadu_si128((const __m128i *)s));
}
"""
MASKED_ALONE = f"#include <emmintrin.h>\n{MASKED}"
ASSEMBLY = 'void wait(int *d) {\n  __asm__ volatile("pause");\n  *d = 1;\n}\n'
LOCAL = (
    "static __attribute__((noinline)) void own(char *d, __m128i x) { _mm_maskmoveu_si128(x, x, d); }"
    "\nvoid user(char *d, const __m128i *s) { own(d, *s); }\n"
)
GOTO = """\
int jump(int n) {
  static void *t[] = {&&a, &&b, &&c};
again:
  goto *t[n & 1];
a: n += 3; goto again;
b: return 5;
c: return n;
}
"""
# as SIMDe's header of SSE2 has it, where the formulas have no such call
SIMDE = """\
#include <stdint.h>
typedef int64_t __m128i __attribute__((vector_size(16), aligned(16)));
typedef signed char bytes __attribute__((vector_size(16)));
static inline __m128i _mm_loadu_si128(const __m128i *p) {
  __m128i r; __builtin_memcpy(&r, p, 16); return r;
}
static inline void _mm_maskmoveu_si128(__m128i x, __m128i m, char *d) {
  for (int i = 0; i < 16; i++) if (((bytes)m)[i] < 0) d[i] = ((bytes)x)[i];
}
"""


def ported(isel: Run, folder: Path, code: str, *more: str) -> tuple[int, str, str]:
    """Return code, standard error and text of a port to AArch64."""
    path, out = written(folder / "in.c", code), folder / "out.ll"
    ran = isel("port", str(path), "--to", "aarch64", "-o", str(out), *CLANG, *more)
    return ran.code, ran.err, out.read_text() if out.exists() else ""


@pytest.mark.tools
def test_what_has_no_formula_is_named_with_its_line(isel: Run, tmp_path: Path) -> None:
    code, err, text = ported(isel, tmp_path, ADD + MASKED)
    assert code == 3 and "@add: proved" in err
    assert "@masked: unknown: left out: " in err and "in.c:6: 'llvm.x86.sse2.maskmov.dqu'" in err
    assert "SIMDe was not found (simde/x86/sse4.2.h), expected libsimde-dev" in err
    assert "define" in text and "@masked" not in text.partition("define")[2].partition("declare")[0]


@pytest.mark.tools
def test_who_calls_what_is_left_out_is_left_out(isel: Run, tmp_path: Path) -> None:
    code, err, text = ported(isel, tmp_path, ADD + LOCAL)
    assert code == 3 and "@add: proved" in err
    assert "@user: unknown: left out: it needs @own, which is left out" in err
    assert "@user(" not in "".join(x for x in text.splitlines() if x.startswith("define"))


@pytest.mark.tools
def test_simde_stands_in_where_there_is_no_formula(isel: Run, tmp_path: Path) -> None:
    folder = tmp_path / "simde/x86"
    folder.mkdir(parents=True)
    written(folder / "sse4.2.h", SIMDE)
    written(folder / "avx2.h", "")
    written(folder / "fma.h", "")
    code, err, text = ported(isel, tmp_path, MASKED_ALONE, f"--flag=-I{tmp_path}")
    assert code == 3 and "left out" not in err and "@masked: unknown" in err, err
    assert "define" in text and "llvm.x86" not in text


@pytest.mark.tools
def test_assembly_and_computed_gotos_are_named(isel: Run, tmp_path: Path) -> None:
    """The rest is ported; the exit code says that something is wrong with the file."""
    code, err, text = ported(isel, tmp_path, ADD + ASSEMBLY + GOTO)
    assert code == 1 and "@add: proved" in err
    assert "@wait: unknown: left out: " in err and "in.c:7: inline assembly is not ported" in err
    assert "@jump: unknown: " in err and "in.c:10: a computed goto is not ported" in err
    assert "define" in text and " asm " not in text


@pytest.mark.tools
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f'{ADD}#include "nowhere.h"\n', "in.c:6:10: error: 'nowhere.h' file not found\n"),
        ('#include "nowhere.h"\n', "in.c:1:10: error: 'nowhere.h' file not found\n"),
        (f"{ADD}#define OP(x)\nint f(int x) {{ return 1 + OP(x); }}\n", "in.c:7:32: error: "),
        ("int f;\n", "includes none of xmmintrin.h"),
    ],
)
def test_a_file_that_does_not_compile(isel: Run, tmp_path: Path, code: str, expected: str) -> None:
    """With the line and a caret; nothing is written."""
    number, err, text = ported(isel, tmp_path, code)
    assert number == 1 and expected in err and not text


@pytest.mark.tools
def test_code_runs_on_every_usual_machine(isel: Run, tmp_path: Path) -> None:
    """Without a CPU there is neither SVE nor a dot product, with ``-mattr`` there may be."""
    code, _, text = ported(isel, tmp_path, ADD)
    assert code == 0 and '"target-cpu"="generic"' in text and "target-features" not in text
    code, _, text = ported(isel, tmp_path, ADD, "-mcpu=neoverse-v1", "-mattr=+dotprod")
    assert code == 0 and '"target-cpu"="neoverse-v1" "target-features"="+dotprod"' in text
    assert CPUS == {"x86": "x86-64-v2", "arm": "generic"}


@pytest.mark.parametrize(("align", "proved"), [(1, True), (4, True), (8, False)])
def test_a_port_promises_no_greater_alignment(align: int, *, proved: bool) -> None:
    code = """\
target triple = "{}"
define void @f(ptr noalias %d, ptr noalias %s) {{
  %x = load i32, ptr %s, align 4
  store i32 %x, ptr %d, align {}
  ret void
}}
"""
    port = Port("in.c", "clang", "x86", "arm", "generic", "")
    versions = Versions(port, code.format("x86_64-unknown-linux-gnu", 4), (), None)
    (answer,) = versions.prove(code.format(port.triple, align))
    assert isinstance(answer.verdict, Proved) == proved, answer.line


@pytest.mark.tools
def test_a_neon_file_reads_the_headers_of_this_machine(isel: Run, tmp_path: Path) -> None:
    """Four bytes that are copied are a load; an intrinsic of dot products needs no flag."""
    path, out = tmp_path / "neon.c", tmp_path / "neon.ll"
    written(
        path,
        "#include <arm_neon.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n"
        "void f(int *restrict d, const signed char *restrict a) {\n"
        "  int first; memcpy(&first, d, 4);\n  int8x16_t x = vld1q_s8(a);\n"
        "  vst1q_s32(d, vaddq_s32(vdotq_s32(vld1q_s32(d), x, x), vdupq_n_s32(first)));\n}\n",
    )
    ran = isel("port", str(path), "--to", "x86", "-o", str(out), *CLANG)
    assert ran.code == 0 and "@f: proved" in ran.err, ran.err
    assert "@memcpy" not in out.read_text() and '"x86-64-v2"' in out.read_text()


@pytest.mark.tools
def test_flags_of_the_database_beside_the_file(isel: Run, tmp_path: Path) -> None:
    """Its folder is that of relative names; flags of the machine are the source's alone."""
    (tmp_path / "parts").mkdir()
    written(tmp_path / "parts/name.h", "#define NAME add\n")
    code = ADD.replace("void add", '#include "name.h"\nvoid NAME').replace("adds_epu8", WANTED)
    entry = {
        "directory": ".",
        "file": "in.c",
        "arguments": ["cc", "-Iparts", "-DWANTED=_mm_adds_epu8", "-msse4.1", "-g", "-c", "in.c"],
    }
    written(tmp_path / "compile_commands.json", json.dumps([entry]))
    number, err, text = ported(isel, tmp_path, code.replace("_mm_WANTED", "WANTED"))
    assert number == 0 and "@add: proved" in err and "!dbg" not in text
    assert ported(isel, tmp_path, ADD, "-p", str(tmp_path))[0] == 0
    number, err, _ = ported(isel, tmp_path, ADD, "-p", str(tmp_path / "parts"))
    assert number == 1 and "compile_commands.json: error: no such file" in err


WANTED = "WANTED"


def test_a_port_says_its_triple() -> None:
    port = Port("in.c", "clang", "x86", "arm", "generic", "")
    assert port.triple.startswith("aarch64")
