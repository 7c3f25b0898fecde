"""The dependency rules of the design and the habits of the house, checked on the source."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("isel", "frontends", "semantics", "equiv_classes")
SOURCES = sorted(p for name in PACKAGES for p in (ROOT / name).rglob("*.py"))
ROOFS = [ROOT / "isel" / name for name in ("api", "cli")]  # they join what may not know each other
ENGINE = [
    p for p in SOURCES if p.is_relative_to(ROOT / "isel") and not any(map(p.is_relative_to, ROOFS))
]
EVERYTHING = sorted(
    [*SOURCES, *(p for name in ("tests", "examples", "bench") for p in (ROOT / name).rglob("*.py"))]
)
ISA_NAMES = re.compile(r"\b(x86|arm|aarch64|hvx|hexagon|neon)\b", re.IGNORECASE)
SOLE_IMPORTERS = {
    "z3": "isel/smt/z3_solver.py",
    "bitwuzla": "isel/smt/bitwuzla_solver.py",
    "llvmlite": "frontends/llvm/linked/binding.py",
    "sqlite3": "isel/cache/database.py",
}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def imported(path: Path) -> frozenset[str]:
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return frozenset(found)


@pytest.fixture(scope="session", autouse=True)
def trees() -> None:
    """Parse every source before a test does: what is shared counts for all of them."""
    for path in EVERYTHING:
        imported(path)


def calls(path: Path, name: str) -> list[int]:
    """Return the lines on which ``name`` is called."""
    return [
        n.lineno
        for n in ast.walk(tree_of(path))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name
    ]


def test_there_is_something_to_check() -> None:
    assert len(ENGINE) > 30
    assert len(SOURCES) > len(ENGINE)


def test_the_engine_knows_no_isa_and_no_front_end() -> None:
    outside = {"frontends", "semantics", "equiv_classes"}
    assert [name_of(p) for p in ENGINE if {m.split(".")[0] for m in imported(p)} & outside] == []
    assert [name_of(p) for p in ENGINE if ISA_NAMES.search(p.read_text())] == []


@pytest.mark.parametrize(("roof", "above"), [("cli", ["isel/__main__.py"]), ("api", ["isel/cli"])])
def test_nothing_below_knows_a_roof(roof: str, above: list[str]) -> None:
    """The command line is made of the API, which ``import isel`` loads by name."""
    mine = re.compile(rf"isel\.{roof}\b")
    users = {name_of(p) for p in SOURCES if any(map(mine.match, imported(p)))}
    assert [u for u in sorted(users) if not u.startswith((f"isel/{roof}/", *above))] == []


@pytest.mark.parametrize("module", SOLE_IMPORTERS)
def test_one_importer(module: str) -> None:
    importers = [name_of(p) for p in SOURCES if module in {m.split(".")[0] for m in imported(p)}]
    assert importers == [SOLE_IMPORTERS[module]]


@pytest.mark.parametrize("room", ["transform", "passes", "function"])
def test_who_proposes_knows_no_prover(room: str) -> None:
    """What is proposed, its witness and facts of one function import nothing that proves."""
    among = [p for p in SOURCES if p.is_relative_to(ROOT / "frontends" / "llvm" / room)]
    proves = re.compile(r"frontends\.llvm\.(cuts|refine)\b")
    assert among
    assert [name_of(p) for p in among if any(map(proves.match, imported(p)))] == []


def test_a_function_is_looked_at_in_one_place() -> None:
    """Maps from names to instructions are a view's: no module makes one of a function's blocks."""
    assert maps_names(ast.parse("for b in f.blocks:\n    d[i.name] = i").body[0])
    among = [p for p in SOURCES if ".blocks" in p.read_text()]
    assert [name_of(p) for p in among if any(map(maps_names, ast.walk(tree_of(p))))] == []


def maps_names(at: ast.AST) -> bool:
    """Tell whether code makes a map of what it takes from blocks, by its names."""
    if isinstance(at, ast.DictComp):
        of = at.key.value if isinstance(at.key, ast.Attribute) and at.key.attr == "name" else None
        return (
            of is not None
            and alike(of, at.value)
            and any(sees_blocks(g.iter) for g in at.generators)
        )
    if not isinstance(at, ast.For) or not sees_blocks(at.iter):
        return False
    return any(
        isinstance(n, ast.Assign)
        and isinstance(to := n.targets[0], ast.Subscript)
        and isinstance(to.slice, ast.Attribute)
        and to.slice.attr == "name"
        and alike(to.slice.value, n.value)
        for n in ast.walk(at)
    )


def alike(a: ast.AST, b: ast.AST) -> bool:
    return ast.unparse(a) == ast.unparse(b)


def sees_blocks(at: ast.AST) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "blocks" for n in ast.walk(at))


def test_files_are_short() -> None:
    assert {name_of(p): n for p in EVERYTHING if (n := len(p.read_text().splitlines())) > 400} == {}


def test_modules_say_what_they_are() -> None:
    assert [name_of(p) for p in SOURCES if not ast.get_docstring(tree_of(p))] == []


def test_any_is_a_bug() -> None:
    """The one exception is the edge to a library without types."""
    users = [
        name_of(p)
        for p in SOURCES
        if "Any" in {n.id for n in ast.walk(tree_of(p)) if isinstance(n, ast.Name)}
    ]
    assert set(users) <= {SOLE_IMPORTERS["z3"]}


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_real(package: str) -> None:
    folders = {p.parent for p in (ROOT / package).rglob("*.py")}
    assert folders
    assert [name_of(f) for f in sorted(folders) if not (f / "__init__.py").exists()] == []


def test_only_the_verifier_proves() -> None:
    makers = [name_of(p) for p in SOURCES if calls(p, "Proved")]
    assert makers
    assert [m for m in makers if not m.startswith(("isel/verify/", "frontends/llvm/refine/"))] == []


def test_the_verifier_sees_nothing_of_the_search() -> None:
    """It may see the shape of a window and of a program's values, but no goal, cost or cache; and
    of the graph of equal terms only the one file that asks it for steps, which are replayed.
    """
    rooms = "ir interp smt rules verify errors deferred model.steps"
    below = tuple(f"isel.{room}" for room in rooms.split())
    asking = "isel/verify/saturated.py"
    assert {m for p in (ROOT / asking,) for m in imported(p) if m.startswith("isel.egraph")}
    seen = {
        m
        for p in (ROOT / "isel" / "verify").glob("*.py")
        if name_of(p) != asking
        for m in imported(p)
        if m.startswith("isel.") and not m.startswith(below)
    }
    assert seen <= {"isel.model.window", "isel.model.program", "isel.model.verdict"}


def test_no_circles_between_packages_of_the_engine() -> None:
    """Imports within functions, and those for types alone, count."""
    uses: dict[str, set[str]] = {}
    for p in ENGINE:
        package = p.parent.relative_to(ROOT / "isel").as_posix()
        used = {m.split(".")[1] for m in imported(p) if m.startswith("isel.")}
        uses.setdefault(package, set()).update(used - {package})
    packages = {k: v & uses.keys() for k, v in uses.items() if k != "."}
    assert len(packages) > 8
    while free := [k for k, v in packages.items() if not v & packages.keys()]:
        for k in free:
            del packages[k]
    assert packages == {}


@pytest.mark.parametrize(("root", "least"), [("isel/synth", 7), ("frontends/llvm", 12)])
def test_no_circles_between_rooms(root: str, least: int) -> None:
    """Files beside the rooms may use them all."""
    rooms = {p.name: p for p in (ROOT / root).iterdir() if (p / "__init__.py").exists()}
    start = root.replace("/", ".") + "."
    left = {
        name: {
            m.removeprefix(start).split(".")[0]
            for file in folder.glob("*.py")
            for m in imported(file)
            if m.startswith(start)
        }
        - {name}
        for name, folder in rooms.items()
    }
    assert len(left) >= least
    while free := [name for name, used in left.items() if not used & left.keys()]:
        for name in free:
            del left[name]
    assert left == {}


NAMES_OF_ONE_TARGET = re.compile(
    r"(?<![\w.])(?:x86|arm)(?![\w-])|semantics\.(?:x86|arm)\b", re.IGNORECASE
)
# What LLVM writes of one machine, and rows of commands that come to other targets with their prices.
NAME_A_TARGET = {
    "equiv_classes/dictionary.py",  # an example in a docstring
    "frontends/halide/__init__.py",
    "frontends/llvm/dialect/known.py",
    "frontends/llvm/dialect/machine.py",
    "frontends/llvm/refine/machines.py",  # how C hands values over on each
    "isel/cli/examples.py",
    "isel/cli/grammar/moving.py",
    "isel/cli/measuring.py",
    "isel/cli/port/machines.py",
    "semantics/structures.py",  # which of the machines have such accesses
    "semantics/__init__.py",  # the default of commands that are not told which
}


def test_a_target_is_named_in_its_folder() -> None:
    """What is left outside is listed; nothing that belongs to all targets names one."""
    targets = {p.parent for p in (ROOT / "semantics").glob("*/isa.py")}
    assert targets
    named = {
        name_of(p)
        for p in SOURCES
        if not targets & set(p.parents) and NAMES_OF_ONE_TARGET.search(p.read_text())
    }
    assert named == NAME_A_TARGET


def test_no_test_is_skipped() -> None:
    ways = {"skip", "skipif", "xfail", "importorskip"}
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert [
        name_of(p)
        for p in files
        if ways & {n.attr for n in ast.walk(tree_of(p)) if isinstance(n, ast.Attribute)}
    ] == []


def test_no_path_of_one_machine() -> None:
    homes = re.compile("/" + r"(home|root|work|Users)/\w")
    assert [name_of(p) for p in EVERYTHING if homes.search(p.read_text())] == []


def test_what_the_pipeline_is_made_of_needs_few_arguments() -> None:
    """No constructor of it needs more than six."""
    needed = {}
    for path in (ROOT / "frontends" / "llvm" / "pipeline").glob("*.py"):
        for c in ast.walk(ast.parse(path.read_text())):
            if isinstance(c, ast.ClassDef):
                fields = [s for s in c.body if isinstance(s, ast.AnnAssign) and s.value is None]
                own = (s for s in c.body if isinstance(s, ast.FunctionDef) and s.name == "__init__")
                given = [len(s.args.args) - 1 for s in own]
                needed[c.name] = max([len(fields), *given])
    assert len(needed) > 20 and {name: n for name, n in needed.items() if n > 6} == {}
