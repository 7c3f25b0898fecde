"""Where nothing is rewritten, the object, what is said, the dependency file and the exit code
are those of the plain compile.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from isel.cli.launcher.compiler_flags import ROWS, Role
from tests.cli.launcher.running import Launcher, compilers, files_in

SOURCES = {
    "a.cpp": """
        #include <cmath>
        #include <stdexcept>
        #include <vector>
        struct Base { virtual ~Base(); virtual int f(int) = 0; };
        #ifdef __cpp_exceptions
        void fail() { throw std::runtime_error("negative"); }
        #else
        void fail();
        #endif
        struct Derived : Base { int f(int x) override { static int k = x; if (x < 0) fail(); return k + x; } };
        Base::~Base() {}
        thread_local int counter = 3;
        int zeros[4];
        inline float g(float x) { return std::sqrt(x) * 2.0f + x * x; }
        float h(const std::vector<float>& v) { float s = 0; for (float x : v) s += g(x) * x + 1.0f; return s; }
        Base* make() { ++counter; return new Derived; }
        float divide(float a, float b, float c) { return a / c + b / c - (a + b) + a; }
        struct Early { Early() { zeros[1] = counter; } } early;
        int unused(int x) { int y; return 3; }
    """,
    "a.c": """
        #include <stdio.h>
        #include <string.h>
        extern int other(const char *);
        int common;
        static const char *names[] = {"one", "two", "three"};
        int pick(unsigned i) {
            switch (i) { case 0: return 7; case 1: return other(names[1]); case 2: return 99; case 3: return 5; case 4: return -3; }
            return 0;
        }
        int text(char *to, const char *from) { char buffer[64]; strcpy(buffer, from); return printf("%s %d\\n", strcat(to, buffer), common); }
        long tail(long n) { return n < 2 ? n : tail(n - 1); }
        int unused(void) { int y; return 3; }
    """,
}
SETS = (
    "-O1",
    "-O2 -g",
    "-O3 -march=haswell -fPIC -g -gdwarf-4",
    "-Os -fvisibility=hidden -pthread",
    "-Ofast -march=haswell",
    "-O2 -ffp-contract=fast -march=haswell",
    "-O2 -ffp-contract=off -march=haswell",
    "-O2 -Wall -Wextra -Wl,-z,now -L/nowhere -lm",
    "-O2 -Wall -Werror",
    "-O2 -DX=undeclared -Dpick=1",
    "-O2 -Wframe-larger-than=9999 -Wp,-DX=1",
    "-O2 -Werror=frame-larger-than -Wframe-larger-than=0",
    "-O2 -S -fverbose-asm",
    "-O2 -S",
    "-O2 -MD -MP",
    "-O2 -MMD -MF some.d -MT target",
    "-O2 -save-temps=obj",
    "-O2 -g -grecord-gcc-switches",
    "-O2 -frecord-gcc-switches -DX='\"a b$'",
    "-O2 -save-temps=obj -grecord-command-line -gno-record-gcc-switches -frecord-command-line",
)


SCALAR = ("-fno-vectorize", "-fno-slp-vectorize")
COMPILER = ("clang++-19", "-O2", "-g", "-march=haswell", *SCALAR)
# Flags that are joined with values or take the next word, with one of each.
VALUES = {
    "--target=": "x86_64-linux-gnu",
    "-march=": "x86-64-v2",
    "-mtune=": "skylake",
    "-mprefer-vector-width=": "128",
    "-fvisibility=": "hidden",
    "-fdebug-prefix-map=": "/x=/y",
    "-ffile-prefix-map=": "/x=/y",
    "-fmacro-prefix-map=": "/x=/y",
    "-fdebug-compilation-dir=": "/x",
    "-ftrivial-auto-var-init=": "pattern",
    "-ftls-model=": "local-exec",
    "-falign-functions=": "32",
    "-fcf-protection=": "branch",
    "-fmax-type-align=": "8",
    "-fstrict-flex-arrays=": "2",
    "-fclang-abi-compat=": "15",
    "-fdenormal-fp-math=": "preserve-sign",
    "-ffp-contract=": "fast",
    "-ffp-model=": "precise",
    "-mcpu=": "generic",
    "-mfpmath=": "sse",
    "-mabi=": "lp64",
    "-msve-vector-bits=": "128",
    "-mbranch-protection=": "standard",
    "-msign-return-address=": "all",
    "-mharden-sls=": "all",
    "-mfunction-return=": "thunk-extern",
    "-mrecip=": "all",
    "-mstack-protector-guard=": "tls",
    "-mstack-protector-guard-reg=": "gs",
    "-mstack-alignment=": "32",
    "-mstack-protector-guard-offset=": "40",
    "-mstack-protector-guard-symbol=": "guard",
    "-mstack-probe-size=": "8192",
    "-fzero-call-used-regs=": "used-gpr",
    "-fpatchable-function-entry=": "2",
    "-fno-sanitize": "=all",
    "-fno-builtin-": "sqrt",
    "-fopenmp=": "libomp",
    "-fveclib=": "libmvec",
    "-ffp-exception-behavior=": "maytrap",
    "--param=": "ssp-buffer-size=4",
    "--param": " ssp-buffer-size=4",
    "-ffile-compilation-dir=": "/x",
    "-fdebug-default-version=": "4",
    "-malign-branch=": "jcc",
    "-malign-branch-boundary=": "32",
    "-mpad-max-prefix-size=": "3",
    "-mtls-size=": "24",
    "-femit-dwarf-unwind=": "always",
    "-mtls-dialect=": "gnu2",
    "-target": " x86_64-linux-gnu",
    "-fdebug-compilation-dir": " /x",
    "-mcmodel=": "medium",
    "-gz=": "zlib",
    "-falign-loops=": "32",
    "-Wframe-larger-than=": "9999",
}


def compiled(
    launcher: Launcher, words: list[str], source: str, place: Path
) -> tuple[int, str, dict[str, bytes]]:
    """Compile a source in a folder of a fixed name; return the exit code, what was said, and
    the files.
    """
    folder = place / "folder"
    folder.mkdir()
    (folder / source).write_text(SOURCES[source])
    ran = launcher.plain(*words, source, cwd=folder)
    found = {n: (folder / n).read_bytes() for n in files_in(folder)}
    folder.rename(place / f"done{len(list(place.iterdir()))}")
    return ran.code, ran.err, {n: b"" if n.endswith(".bc") else data for n, data in found.items()}


def unknown_to(launcher: Launcher, words: list[str], flags: list[str], place: Path) -> str:
    """Return what the compiler says of flags that it has not; nothing is compiled."""
    said = launcher.plain(
        *words, "-O2", "-###", "-c", *" ".join(flags).split(), "-x", "c++", "a", cwd=place
    ).err
    return "".join(line for line in said.splitlines() if "error: " in line)


@pytest.mark.tools
@pytest.mark.parametrize("compiler", ["isel-clang", "clang-14", "clang-15", "clang-16", "clang-19"])
def test_sets_of_flags(compiler: str, launcher: Launcher, tmp_path: Path) -> None:
    for number, flags in enumerate(SETS):
        source = ("a.cpp", "a.c")[number % 2]
        if compiler == "isel-clang" and (
            "save-temps" in flags
            or flags == "-O2 -S"
            or "-MD" in flags
            or "-MMD" in flags
            or "record-" in flags
        ):
            # Zig lacks the first, warns of a -c that nobody gave, names sections in another table
            # where it writes a dependency file, and records names of temporary files
            continue
        words = [
            *compilers(compiler)[source == "a.cpp"],
            *SCALAR,
            *shlex.split(flags),
            *([] if "-S" in flags else ["-c"]),
        ]
        assert compiled(launcher, [str(launcher.path), *words], source, tmp_path) == compiled(
            launcher, words, source, tmp_path
        ), flags


@pytest.mark.tools
def test_each_flag_of_code(launcher: Launcher, tmp_path: Path) -> None:
    """Eight flags at a time, on top of debug information and vectors of floats."""
    names = [
        name
        for (name, is_prefix), (role, form) in ROWS.items()
        if role in (Role.IR, Role.CODE) and (is_prefix or form != "joined")
    ]
    flags = [name + VALUES.get(name, "") for name in names]
    said = unknown_to(launcher, ["clang++-19"], flags, tmp_path)
    known = [f for f in flags if f"'{f.split()[0]}'" not in said]
    assert len(known) > 250, said
    refused: list[str] = []
    aside = tmp_path / "aside"
    aside.mkdir()

    def refuses(some: Sequence[str]) -> bool:
        """Tell by a source without a line, which is soon compiled."""
        words = [*COMPILER, *" ".join(some).split(), "-c", "-x", "c++", "/dev/null"]
        return launcher.plain(*words, "-o", "empty.o", cwd=aside).code != 0

    def compare(some: Sequence[str]) -> None:
        words = [*COMPILER, *" ".join(some).split(), "-c"]
        plain = compiled(launcher, words, "a.cpp", tmp_path)
        assert compiled(launcher, [str(launcher.path), *words], "a.cpp", tmp_path) == plain, words

    for place in range(0, len(known), 8):
        some = known[place : place + 8]
        sets = [some]
        if refuses(some):
            others = [flag for flag in some if refuses([flag])]  # for C, or another machine
            rest = [flag for flag in some if flag not in others]
            single = some if refuses(rest) else others  # some exclude each other
            sets = [[flag] for flag in single] + ([] if single is some else [rest])
            refused += others
        for flags in sets:
            compare(flags)
    assert len(refused) < len(known) / 12, refused  # for C, AArch64 or Hexagon
