"""Which command lines are compiles of ours, and what becomes of their flags."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.launcher.classify import Compile, Unchanged, classify
from isel.cli.launcher.compiler_flags import Role, flag_at
from isel.cli.launcher.response import split

UNCHANGED = {
    "": "not a compile",
    "-v": "not a compile",
    "-### -O2 -c a.c": "-###",
    "-O2 a.c -o a": "not a compile",
    "-O2 -E a.c": "not a compile",
    "-O2 -E -c a.c": "-E",
    "-O2 -M -c a.c": "-M",
    "-O2 a.o b.o -o a -lm": "not a compile",
    "-O2 -c a.c b.c": "several sources",
    "-O2 -c a.c b.o": "input .o",
    "-O2 -c": "no source",
    "-O2 -c -x c -": "standard input",
    "-O2 -c a.c -o -": "standard output",
    "-O2 -c -S a.c": "-c and -S",
    "-O2 -c a.c -o b.o -o c.o": "several -o",
    "-c a.c": "-O0",
    "-O2 -O0 -c a.c": "-O0",
    "-O7 -c a.c": "-O7",
    "-O2 -c a.s": "input .s",
    "-O2 -c a.m": "input .m",
    "-O2 -c a.ll": "input .ll",
    "-O2 -c a.cu": "input .cu",
    "-O2 -c source": "input without suffix",
    "-O2 -x cuda -c a.c": "-x cuda",
    "-O2 -x c-header -c a.h": "-x c-header",
    "-O2 -x c++ -x none -c a.c": "-x none",
    "-O2 -c a.c -fsanitize=address": "-fsanitize",
    "-O2 -c a.c -fprofile-generate": "-fprofile-generate",
    "-O2 -c a.c -fprofile-instr-generate=p": "-fprofile-instr-generate",
    "-O2 -c a.c -fprofile-use=p -fcs-profile-generate": "-fcs-profile-generate",
    "-O2 -c a.c --coverage": "--coverage",
    "-O2 -c a.c -pg": "-pg",
    "-O2 -c a.cpp -fmodules": "-fmodules",
    "-O2 -c a.c -gsplit-dwarf": "-gsplit-dwarf",
    "-O2 -c a.c -fsave-optimization-record=bitstream": "-fsave-optimization-record",
    "-O2 -c a.c -Rpass=loop-vectorize -save-temps": "-Rpass with -save-temps",
    "-O2 -c a.c -Reverything": "-Reverything",
    "-O2 -c a.c -ftime-trace": "-ftime-trace",
    "-O2 -c a.c -no-integrated-as": "-no-integrated-as",
    "-O2 -c a.c -mllvm -stats": "-mllvm",
    "-O2 -c a.c -emit-llvm": "-emit-llvm",
    "-O2 -S -flto a.c": "-flto -S",
    "-O2 -c a.c -Xclang -disable-llvm-passes": "-Xclang -disable-llvm-passes",
    "-O2 -c a.c -Xclang -include-pch": "-Xclang",
    "-O2 -c a.c -Wp,-v": "-Wp",
    "-O2 -c a.c -Wa,-adhln": "-Wa",
    "-O2 -c a.c -Wp,-DX,-v": "-Wp",
    "-O2 -c a.c -MJ a.json": "-MJ",
    "-O2 -c a.c -o": "-o",
    "-O2 -c a.c --config x": "--config",
}


# What distributions, build systems and caches put on command lines.
USUAL = (
    (
        "-O2 -flto=auto -fexceptions -g -pipe -Wall -Werror=format-security"
        " -Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS -fstack-protector-strong"
        " -m64 -march=x86-64-v2 -mtune=generic -fasynchronous-unwind-tables -fcf-protection"
        " -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-fat-lto-objects"
    ),
    "-g -O2 -ffile-prefix-map=/b=. -fstack-protector-strong -mbranch-protection=standard -Wdate-time",
    (
        "-O3 -frandom-seed=a1b2 --param ssp-buffer-size=4 -fno-strict-overflow"
        " -fzero-call-used-regs=used-gpr -fPIC"
    ),
    "-O3 --target=aarch64-linux-gnu -mcpu=neoverse-n1 -mno-outline-atomics",
    "-O2 -fno-sanitize=all -fno-sanitize-recover=undefined -fno-sanitize-trap=all",
    "-O2 -march=native -mno-avx512f -mno-evex512 -mno-xop -mvzeroupper",
    "-O3 -fvectorize -mcpu=hexagonv66 -mhvx -mhvx-length=128B -G0 -mno-memops",
    "-O3 -mv66 -mhvx=v66 -mllvm -hexagon-autohvx",
    "-O2 -Xclang -fno-pch-timestamp -Xclang -include-pch -Xclang p.pch -fpch-instantiate-templates",
    "-O2 -no-canonical-prefixes -fmax-errors=5 -fno-expensive-optimizations -fgcse -Xlinker -O1",
    "-O2 -fno-builtin-malloc -fno-c++-static-destructors -fpack-struct=4 -fopenmp=libomp",
)


@pytest.mark.parametrize("words", USUAL)
def test_usual_flags_are_understood(words: str) -> None:
    found = classify([*words.split(), "-c", "a.c", "-o", "a.o"], {})
    assert isinstance(found, Compile)
    assert "-frandom-seed=a1b2" not in found.back
    assert "-Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=3" not in found.back
    for kept in ("-mcpu=neoverse-n1", "-fzero-call-used-regs=used-gpr", "-fno-sanitize=all"):
        assert (kept in found.back) == (kept in words.split())


@pytest.mark.parametrize("words", UNCHANGED)
def test_what_is_left_to_the_compiler(words: str) -> None:
    assert classify(words.split(), {}) == Unchanged(UNCHANGED[words])


HANDLED = {
    "-O2 -c a.c": Compile("a.c", "a.o", ("-O2",), ("-O2",), 2),
    "-Ofast -c src/a.b.cpp -o out/x.obj": Compile(
        "src/a.b.cpp", "out/x.obj", ("-Ofast",), ("-O3",), 3
    ),
    "-O2 -W -c a.c": Compile("a.c", "a.o", ("-O2", "-W"), ("-O2",), 2),
    "-O2 -S a.c": Compile("a.c", "a.s", ("-O2",), ("-O2",), 2, assembly=True),
    "-Os -x c++ -Wall -DX=1 -U Y -I i -isystem s -std=c++20 -fPIC -c a.h -oa.o": Compile(
        "a.h",
        "a.o",
        (
            "-Os",
            "-x",
            "c++",
            "-Wall",
            "-DX=1",
            "-U",
            "Y",
            "-I",
            "i",
            "-isystem",
            "s",
            "-std=c++20",
            "-fPIC",
        ),
        ("-Os", "-fPIC"),
        2,
    ),
    "-O -g -ffunction-sections -mcmodel=large -c a.c": Compile(
        "a.c",
        "a.o",
        ("-O", "-g", "-ffunction-sections", "-mcmodel=large"),
        ("-O", "-g", "-ffunction-sections", "-mcmodel=large"),
        1,
        own="-ffunction-sections",
    ),
    "-O2 -Wp,-D_FORTIFY_SOURCE=2 -Wp,-UX -Wframe-larger-than=9 -c a.c": Compile(
        "a.c",
        "a.o",
        ("-O2", "-Wp,-D_FORTIFY_SOURCE=2", "-Wp,-UX", "-Wframe-larger-than=9"),
        ("-O2", "-Wframe-larger-than=9"),
        2,
        own="-Wframe-larger-than=",
    ),
    "-O2 -flto=thin -c a.c": Compile(
        "a.c", "a.o", ("-O2", "-flto=thin"), ("-O2", "-flto=thin"), 2, own="-flto=thin"
    ),
    "-O2 -flto -fno-lto -S a.c": Compile(
        "a.c",
        "a.s",
        ("-O2", "-flto", "-fno-lto"),
        ("-O2", "-flto", "-fno-lto"),
        2,
        assembly=True,
        own="-flto",
    ),
    "-O2 -save-temps -c a.c -o b/c.o": Compile(
        "a.c",
        "b/c.o",
        ("-O2", "-save-temps=obj"),
        ("-O2", "-save-temps=obj"),
        2,
        own="-save-temps",
        kept="",
    ),
    "-O2 -save-temps=obj -c a.c -o b/c.o": Compile(
        "a.c",
        "b/c.o",
        ("-O2", "-save-temps=obj"),
        ("-O2", "-save-temps=obj"),
        2,
        own="-save-temps=obj",
        kept="b",
    ),
    "-O2 -Xclang -include-pch -Xclang p.pch -Xclang -include -Xclang p.h -c a.c": Compile(
        "a.c",
        "a.o",
        (
            "-O2",
            "-Xclang",
            "-include-pch",
            "-Xclang",
            "p.pch",
            "-Xclang",
            "-include",
            "-Xclang",
            "p.h",
        ),
        ("-O2",),
        2,
    ),
}


PROFILES = (
    "-fprofile-use",
    "-fprofile-use=p",
    "-fprofile-use=p -fno-profile-use",
    "-fprofile-instr-use=p -fprofile-correction",
    "-fprofile-sample-use=p -fprofile-sample-accurate",
    "-fauto-profile=p -fprofile-remapping-file=q",
)


@pytest.mark.parametrize("flags", PROFILES)
def test_a_profile_is_for_the_step_that_makes_ir(flags: str) -> None:
    found = classify(["-O2", *flags.split(), "-c", "a.c"], {})
    assert found == Compile("a.c", "a.o", ("-O2", *flags.split()), ("-O2",), 2)


@pytest.mark.parametrize("words", HANDLED)
def test_what_is_compiled_in_two_steps(words: str) -> None:
    assert classify(words.split(), {}) == HANDLED[words]


DEPENDENCIES = {
    "-O2 -MD -c a.c": "-MD -MF a.d -MQ a.o",
    "-O2 -MMD -c s/a.c -o o/x.o": "-MMD -MF o/x.d -MQ o/x.o",
    "-O2 -MD -MF f -c a.c": "-MD -MF f -MQ a.o",
    "-O2 -MD -MP -MT t -c a.c": "-MD -MP -MT t -MF a.d",
    "-O2 -MMD -MFf -MQ t -c a.c": "-MMD -MFf -MQ t",
    "-O2 -Wp,-MMD,o/.x.d -c a.c -o o/x.o": "-MMD -MF o/.x.d -MQ o/x.o",
    "-O2 -MD -S a.c": "-MD -MF a.d -MQ a.o",
    "-O2 -MF f -c a.c": "-MF f",
}


@pytest.mark.parametrize("words", DEPENDENCIES)
def test_dependency_files_are_those_of_the_plain_compile(words: str) -> None:
    what = classify(words.split(), {})
    assert isinstance(what, Compile)
    assert what.front == ("-O2", *DEPENDENCIES[words].split())
    assert what.back == ("-O2",)


def test_variables_that_make_clang_write_more() -> None:
    assert classify(["-O2", "-c", "a.c"], {"DEPENDENCIES_OUTPUT": "x"}) == Unchanged(
        "$DEPENDENCIES_OUTPUT"
    )


def test_response_files(tmp_path: Path) -> None:
    inner, outer, loop = tmp_path / "inner", tmp_path / "outer", tmp_path / "loop"
    inner.write_text("-DX='a b' -c\n")
    outer.write_text(f'-O2 "@{inner}" a.c')
    loop.write_text(f"@{loop}")
    assert classify([f"@{outer}"], {}) == Compile("a.c", "a.o", ("-O2", "-DX=a b"), ("-O2",), 2)
    assert classify([f"@{loop}"], {}) == Unchanged("response files in response files")
    assert classify(["-O2", "-c", "@missing"], {}) == Unchanged("input without suffix")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("a  b\n\tc", ["a", "b", "c"]),
        (r"a\ b \"c\"", ["a b", '"c"']),
        ("'a b'\"c d\"", ["a bc d"]),
        (r"'a\'b' \\", ["a'b", "\\"]),
        ("'' x", ["x"]),
    ],
)
def test_quoting_of_response_files(text: str, words: list[str]) -> None:
    assert split(text) == words


def test_the_longest_name_wins() -> None:
    found = [
        flag_at([word], 0)
        for word in (
            "-Wall",
            "-Wa,--noexecstack",
            "-Wa,-v",
            "-Wl,-z,now",
            "-std=c11",
            "-O3",
            "-unknown",
        )
    ]
    assert [f and f.role for f in found] == [
        Role.SOURCE,
        Role.CODE,
        Role.REFUSED,
        Role.SOURCE,
        Role.SOURCE,
        Role.LEVEL,
        None,
    ]


RECORD = "-fsave-optimization-record"


@pytest.mark.parametrize(
    ("words", "remarks"),
    [
        ("-O2 -c x/a.c", ()),
        (
            "-O2 -c x/a.c -Rpass=a -Rpass-missed=b -Rpass=c",
            (("-Rpass", "c"), ("-Rpass-missed", "b")),
        ),
        (f"-O2 -c x/a.c {RECORD}", (("file", "a.opt.yaml"), ("passes", ""))),
        (f"-O2 -c x/a.c -o y/a.c.o {RECORD}=yaml", (("file", "y/a.c.opt.yaml"), ("passes", ""))),
        (f"-O2 -c x/a.c {RECORD} -fno-save-optimization-record", ()),
        (
            "-O2 -c x/a.c -foptimization-record-file=f -foptimization-record-passes=p",
            (("file", "f"), ("passes", "p")),
        ),
    ],
)
def test_remarks_that_are_asked_for(words: str, remarks: tuple[tuple[str, str], ...]) -> None:
    what = classify(words.split(), {})
    assert isinstance(what, Compile)
    assert what.remarks == remarks
    assert not [w for w in (*what.front, *what.back) if "optimization-record" in w or "-R" in w]
