"""From a compiler's command line to a compile that is understood, or to why it is not."""

from __future__ import annotations

import os

from isel.cli.launcher.compiler_flags import Flag, Role, flags_in
from isel.cli.launcher.light import Record
from isel.cli.launcher.response import expand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

SOURCES: Final = (
    ".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CC", ".CPP", ".CXX", ".ii",
)  # fmt: skip
_LANGUAGES: Final = ("c", "c++", "cpp-output", "c++-cpp-output")
_LEVELS: Final = {"": 1, "1": 1, "2": 2, "3": 3, "4": 3, "s": 2, "z": 2, "g": 1, "fast": 3}
_VALUED: Final = ("-include", "-include-pch")  # flags of -cc1 whose value is the next -Xclang
_SINGLE: Final = ("-fno-pch-timestamp",)
_PASSES: Final = ("-hexagon-autohvx",)  # options of LLVM's that no code generator reads
_RECORD_FILE: Final = "-foptimization-record-file"
_RECORD_PASSES: Final = "-foptimization-record-passes"
# What makes clang do more than its command line says.
_VARIABLES: Final = (
    "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CCC_OVERRIDE_OPTIONS", "CC_PRINT_OPTIONS",
    "CC_PRINT_HEADERS", "CC_LOG_DIAGNOSTICS",
)  # fmt: skip


class Compile(Record):
    """One source to one object (or assembly file) with code generation of ``level`` 1 to 3.

    ``front`` and ``back`` are the flags of the two steps, without source and output.  ``own`` is a
    flag that only the user's own code generator obeys, or nothing; ``kept`` is the folder for the
    files of ``-save-temps``, None without it; ``recorded`` is a flag about recording the command
    line, or nothing.  ``remarks`` are those asked for: flags with their patterns; as ``file`` where
    clang writes a document of them, as ``passes`` the pattern of what is written there.
    """

    source: str
    output: str
    front: tuple[str, ...]
    back: tuple[str, ...]
    level: int = 1
    assembly: bool = False
    own: str = ""
    kept: str | None = None
    recorded: str = ""
    remarks: tuple[tuple[str, str], ...] = ()

    @property
    def stem(self) -> str:
        """What clang names files after: the source without folder and suffix."""
        return os.path.splitext(os.path.basename(self.source))[0]


class Unchanged(Record):
    """The command is for the compiler alone."""

    reason: str


class _NotUnderstood(Exception):
    pass


def classify(words: list[str], environment: Mapping[str, str]) -> Compile | Unchanged:
    """Return what a command line (without the compiler) asks for."""
    try:
        variable = next((v for v in _VARIABLES if environment.get(v)), "")
        if variable:
            raise _NotUnderstood(f"${variable}")
        return _compile(_read(_wrap(expand(words))))
    except RecursionError:
        return Unchanged("response files in response files")
    except _NotUnderstood as problem:
        return Unchanged(str(problem))


def _wrap(words: list[str]) -> list[str]:
    """Return the words with ``-Wp,-MD,FILE`` as clang's driver reads it."""
    found: list[str] = []
    for word in words:
        parts = word.split(",")
        found += (
            [parts[1], "-MF", parts[2]]
            if parts[0] == "-Wp" and len(parts) == 3 and parts[1] in ("-MD", "-MMD")
            else [word]
        )
    return found


def _read(words: list[str]) -> list[Flag]:
    """Return the flags in order, sources as flags of no name."""
    if "-c" not in words and "-S" not in words:
        raise _NotUnderstood("not a compile")
    found: list[Flag] = []
    for flag in flags_in(words):
        word = flag.words[0]
        refused = flag.role in (Role.UNKNOWN, Role.OTHER, Role.REFUSED)
        if refused or _has_several(flag) or (flag.name == "-mllvm" and flag.value not in _PASSES):
            raise _NotUnderstood(
                "standard input" if word == "-" else word.partition("=")[0].partition(",")[0]
            )
        found.append(flag)
    return found


def _has_several(flag: Flag) -> bool:
    """Tell whether a word for the preprocessor hands it more than macros."""
    return flag.name.startswith("-Wp,") and any(
        not part.startswith(("-D", "-U")) for part in flag.value.split(",")[1:]
    )


def _compile(flags: list[Flag]) -> Compile:

    def of(role: str) -> list[Flag]:
        return [f for f in flags if f.role == role]

    source = _source(flags)
    mode, level = _one(of(Role.MODE), "-c and -S"), _level(of(Role.LEVEL))
    output = of(Role.OUTPUT)
    stem = os.path.splitext(os.path.basename(source))[0]
    usual = stem + (".s" if mode.name == "-S" else ".o")
    target = _one(output, "several -o").value if output else usual
    if target == "-":
        raise _NotUnderstood("standard output")
    if mode.name == "-S" and _links_late(of(Role.LTO)):
        raise _NotUnderstood("-flto -S")
    _check_cc1(of(Role.CC1))
    saved = of(Role.SAVED)
    own = [*of(Role.CODE), *(f for f in of(Role.LTO) if f.name != "-fno-lto"), *saved]
    return Compile(
        source=source,
        output=target,
        front=(
            *_front(flags),
            *_dependencies(of(Role.DEPENDS), target, stem, bool(output)),
            *_saving(saved),
        ),
        back=(*_back(flags), *_saving(saved)),
        level=level,
        assembly=mode.name == "-S",
        own=own[0].name if own else "",
        kept=_folder(saved, target),
        recorded=next((f.name for f in of(Role.RECORD)), ""),
        remarks=_remarks(of(Role.REMARK), saved, target),
    )


def _remarks(flags: list[Flag], saved: list[Flag], target: str) -> tuple[tuple[str, str], ...]:
    """Return the remarks that are asked for; of a flag that is given twice the last holds."""
    if saved and flags:
        raise _NotUnderstood(f"{flags[0].name.rstrip('=')} with {saved[0].name}")
    given = {f.name.rstrip("=").removesuffix("=yaml"): f.value for f in flags}
    found = [(name, pattern) for name, pattern in given.items() if name.startswith("-R")]
    record = [f.name for f in flags if not f.name.startswith("-R")]
    if record[-1:] not in ([], ["-fno-save-optimization-record"]):
        file = given.get(_RECORD_FILE) or f"{os.path.splitext(target)[0]}.opt.yaml"
        found += [("file", file), ("passes", given.get(_RECORD_PASSES, ""))]
    return tuple(found)


def _front(flags: list[Flag]) -> list[str]:
    """Return the flags of the step from source to IR."""
    others = (Role.MODE, Role.OUTPUT, Role.SAVED, Role.RECORD, Role.REMARK)
    return [w for f in flags if f.role not in others and f.name for w in f.words]


def _back(flags: list[Flag]) -> list[str]:
    """Return the flags of the step from IR to object."""
    own = [f.words for f in flags if f.role in (Role.IR, Role.CODE, Role.LEVEL, Role.LTO)]
    return ["-O3" if words == ("-Ofast",) else w for words in own for w in words]


def _folder(saved: list[Flag], target: str) -> str | None:
    """Return the folder of the files of ``-save-temps``."""
    if not saved:
        return None
    return os.path.dirname(target) if saved[-1].name.endswith("=obj") else ""


def _source(flags: list[Flag]) -> str:
    language = ""
    sources: list[str] = []
    for flag in flags:
        if flag.role == Role.LANGUAGE:
            language = flag.value
        if flag.role == Role.SOURCE and not flag.name:
            sources.append(flag.value)
            _check_language(language, os.path.splitext(flag.value)[1])
    if len(sources) != 1:
        raise _NotUnderstood("several sources" if sources else "no source")
    return sources[0]


def _check_language(language: str, suffix: str) -> None:
    if language and language not in _LANGUAGES:
        raise _NotUnderstood(f"-x {language}")
    if not language and suffix not in SOURCES:
        raise _NotUnderstood(f"input {suffix or 'without suffix'}")


def _one(flags: list[Flag], what: str) -> Flag:
    if len({f.words for f in flags}) != 1:
        raise _NotUnderstood(what)
    return flags[0]


def _level(flags: list[Flag]) -> int:
    value = flags[-1].value if flags else "0"
    if value not in _LEVELS:
        raise _NotUnderstood("-O0" if value == "0" else f"-O{value}")
    return _LEVELS[value]


def _links_late(flags: list[Flag]) -> bool:
    return bool(flags) and flags[-1].name != "-fno-lto"


def _check_cc1(flags: list[Flag]) -> None:
    """Accept what CMake passes to read a precompiled header."""
    valued = False
    for flag in flags:
        if not valued and flag.value in _SINGLE:
            continue
        if not valued and flag.value not in _VALUED:
            raise _NotUnderstood(f"-Xclang {flag.value}")
        valued = not valued
    if valued:
        raise _NotUnderstood("-Xclang")


def _dependencies(flags: list[Flag], target: str, stem: str, named: bool) -> tuple[str, ...]:
    """Return what makes the first step write the dependency file that the plain compile writes."""
    names = {f.name for f in flags}
    if not names & {"-MD", "-MMD"}:
        return ()
    place = os.path.splitext(target)[0] if named else stem
    file = () if "-MF" in names else ("-MF", f"{place}.d")
    rule = () if names & {"-MT", "-MQ"} else ("-MQ", target if named else f"{stem}.o")
    return (*file, *rule)


def _saving(flags: list[Flag]) -> tuple[str, ...]:
    """Return what makes clang leave its temporary files beside the output of a step."""
    return ("-save-temps=obj",) if flags else ()
