"""Rows that somebody wrote who does not have the key: none of them reaches an output.

The forger runs this very tool with a search that answers wrongly and a verifier that says yes to
all, so that every table holds what the tool itself would write for wrong code, certificates with
the hashes of the false queries included.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from frontends.llvm.machine.gate import Gate
from isel.api import tools
from isel.cost.judgement import Judgement
from isel.ir.expr import Expr
from isel.model.answer import Candidate, Result
from isel.model.program import Program, meaning, read_program
from isel.model.verdict import Proved
from isel.model.window import Window
from isel.smt.query import Answer, Unsat
from isel.trust import Signer
from isel.verify import prove
from isel.verify.windows import prove_window
from tests.cli.conftest import Ran
from tests.cli.modules import Run, written

# @saturated: pabsb alone is wrong for -128, and what is right is there already; @less: the operands of
# psubusb; @slower: right, but three instructions for two.
MODULE = """\
target triple = "x86_64-unknown-linux-gnu"

define <32 x i8> @saturated(<32 x i8> %a) {
  %m = call <32 x i8> @llvm.abs.v32i8(<32 x i8> %a, i1 false)
  %r = call <32 x i8> @llvm.umin.v32i8(<32 x i8> %m, <32 x i8> splat (i8 127))
  ret <32 x i8> %r
}

define <16 x i8> @less(<16 x i8> %a, <16 x i8> %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %d = sub nsw <16 x i16> %x, %y
  %m = call <16 x i16> @llvm.smax.v16i16(<16 x i16> %d, <16 x i16> zeroinitializer)
  %r = trunc <16 x i16> %m to <16 x i8>
  ret <16 x i8> %r
}

define <8 x i32> @slower(<8 x i32> %a, <8 x i32> %b) {
  %c = add <8 x i32> %a, %b
  %r = add <8 x i32> %c, %b
  ret <8 x i32> %r
}

declare <32 x i8> @llvm.abs.v32i8(<32 x i8>, i1)
declare <32 x i8> @llvm.umin.v32i8(<32 x i8>, <32 x i8>)
declare <16 x i16> @llvm.smax.v16i16(<16 x i16>, <16 x i16>)
"""
RIGHT = {
    32: f"""\
%0 = leaf 32x8 a0
%1 = apply 32x8 _mm256_abs_epi8 %0
%2 = const 32x8 [{",".join(["127"] * 32)}]
%3 = apply 32x8 _mm256_min_epu8 %1 %2
roots 3
""",
    16: "%0 = leaf 16x8 a0\n%1 = leaf 16x8 a1\n%2 = apply 16x8 _mm_subs_epu8 %0 %1\nroots 2\n",
    8: """\
%0 = leaf 8x32 a0
%1 = leaf 8x32 a1
%2 = apply 8x32 _mm256_add_epi32 %0 %1
%3 = const 8x32 [0,0,0,0,0,0,0,0]
%4 = apply 8x32 _mm256_sub_epi32 %3 %1
%5 = apply 8x32 _mm256_sub_epi32 %2 %4
roots 5
""",
}
WRONG = {
    **RIGHT,
    32: RIGHT[32].replace("roots 3", "roots 1"),
    16: RIGHT[16].replace("%0 %1", "%1 %0"),
}
CLAMP = "call <32 x i8> @llvm.umin"
OPTIONS = ("-S", "-mcpu=haswell", "-j1")
TABLES = ("results", "verdicts", "functions")


def answering(programs: dict[int, str]) -> Callable[[tools._Search, Window], Result]:
    """Return a search that knows the answers, by the number of lanes."""

    def search(self: tools._Search, window: Window) -> Result:
        plain = read_program(programs[len(window.roots[0].lanes)])
        values = meaning(plain, self.machine.by_name)
        verdict = prove_window(window, [values[r] for r in plain.roots])
        assert isinstance(verdict, Proved)
        return Result((Candidate(Program(plain.steps, plain.roots, 100), verdict),), True, "", 1)

    return search


def yes(self: prove._Asker, key: Expr) -> Answer:
    self.hashes[prove.query_hash(key)] = "bitwuzla"
    return Unsat("bitwuzla")


@dataclass(frozen=True)
class Scene:
    """What is right for the module, and the caches of the user and of the forger; each has a
    key.
    """

    folder: Path
    expected: str
    run: Callable[[str], Ran]

    def rows(self, whose: str, table: str) -> list[tuple[object, ...]]:
        """Return the rows of a cache, by key."""
        with sqlite3.connect(self.folder / whose / "cache.sqlite") as connection:
            found: list[tuple[object, ...]] = connection.execute(
                f"SELECT * FROM {table} ORDER BY key"
            ).fetchall()
        connection.close()
        return found

    def victim(self, table: str, rows: list[tuple[object, ...]]) -> str:
        """Return a copy of the user's cache that has other rows in a table, and none that would
        be asked before.
        """
        shutil.rmtree(self.folder / "victim", ignore_errors=True)
        shutil.copytree(self.folder / "user", self.folder / "victim")
        with sqlite3.connect(self.folder / "victim" / "cache.sqlite") as connection:
            for name in (table, "functions"):
                connection.execute(f"DELETE FROM {name}")
            for row in rows:
                connection.execute(
                    f"INSERT OR REPLACE INTO {table} VALUES ({','.join('?' * len(row))})", row
                )
        connection.close()
        return "victim"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the module and of the caches, which the first test fills."""
    return tmp_path_factory.mktemp("forgeries")


@pytest.fixture
def scene(isel: Run, tmp_path: Path, made: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    module = made / "in.ll"

    def run(cache: str, folder: Path = tmp_path / "scene") -> Ran:
        return isel("opt", module, *OPTIONS, "--cache", cache if cache == "off" else folder / cache)

    monkeypatch.setattr(tools._Search, "prepare", lambda *_: None)
    monkeypatch.setattr(tools._Search, "search", answering(RIGHT))
    if not module.exists():
        written(module, MODULE)
        with monkeypatch.context() as forging:
            forging.setenv("XDG_STATE_HOME", str(made / "forgers-state"))
            forging.setattr(prove._Asker, "ask", yes)
            forging.setattr(tools._Search, "search", answering(WRONG))
            forging.setattr(Gate, "judge", accepting(Gate.judge))
            forged = run("forger", made)
        assert forged.code == 0 and CLAMP not in forged.out and "sub <8 x i32>" in forged.out
        monkeypatch.setenv("XDG_STATE_HOME", str(made / "state"))
        off, honest, warm = run("off"), run("user", made), run("user", made)
        assert off.code == 0 and off == honest == warm
        assert "llvm.usub.sat" in off.out and CLAMP in off.out and "sub <8 x i32>" not in off.out
        written(made / "expected.ll", off.out)
    shutil.copytree(made, tmp_path / "scene")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "scene" / "state"))
    return Scene(tmp_path / "scene", (made / "expected.ll").read_text(), run)


def accepting(judge: Callable[..., Judgement]) -> Callable[..., Judgement]:
    """Return a gate that says that everything is faster."""

    def judged(self: Gate, before: str, after: str, function: str) -> Judgement:
        j = judge(self, before, after, function)
        return Judgement(True, "faster", 100.0, 1.0, j.before_blocks, j.after_blocks)

    return judged


def forged_rows(scene: Scene, table: str, kind: str) -> list[tuple[object, ...]]:
    """Return the forger's rows of a table with codes of a kind, ``honest`` those of the user's
    rows of the same key.
    """
    honest = {row[0]: str(row[-2]) for row in scene.rows("user", table)}
    made: list[tuple[object, ...]] = []
    for *content, mac, used in scene.rows("forger", table):
        others: dict[str, object] = {
            "another key": mac,
            "replayed": honest.get(content[0], next(iter(honest.values()))),
            "empty": "",
            "truncated": str(mac)[:32],
            "bytes": bytes.fromhex(str(mac)),
            "number": 0,
            "a hash": hashlib.sha256(repr(content).encode()).hexdigest(),
            "not ASCII": "\u00e9" * 64,
        }
        made.append((*content, others[kind], used))
    return made


KINDS = ("another key", "replayed", "empty", "truncated", "bytes", "number", "a hash", "not ASCII")


@pytest.mark.parametrize("table", TABLES)
def test_without_codes_each_table_would_write_wrong_code(
    scene: Scene, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The forgeries below are good ones: whoever believes a row as it stands writes them."""
    victim = scene.victim(table, forged_rows(scene, table, "empty"))
    monkeypatch.setattr(Signer, "signed", lambda *_: True)
    ran = scene.run(victim)
    assert ran.code == 0 and ran.out != scene.expected


def test_whoever_has_the_key_owns_the_cache(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(scene.folder / "forgers-state"))
    assert "sub <8 x i32>" in scene.run("forger").out


@pytest.mark.parametrize("table", TABLES)
def test_forged_rows_are_not_there(scene: Scene, table: str) -> None:
    for kind in KINDS:
        victim = scene.victim(table, forged_rows(scene, table, kind))
        for _ in range(2):  # the second time the user's own row is there again
            assert scene.run(victim) == Ran(0, scene.expected, ""), kind


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_signed(scene: Scene, table: str) -> None:
    """The forger changes one column of the user's own rows at a time, or gives them each
    other's keys.
    """
    mine, theirs = scene.rows("user", table), {row[0]: row for row in scene.rows("forger", table)}
    for column in range(1, len(mine[0]) - 2):
        changed = [
            (
                *row[:column],
                theirs.get(row[0], next(iter(theirs.values())))[column],
                *row[column + 1 :],
            )
            for row in mine
        ]
        assert scene.run(scene.victim(table, changed)) == Ran(0, scene.expected, ""), column
    keys = [row[0] for row in mine]
    moved = [(key, *row[1:]) for key, row in zip(keys[1:] + keys[:1], mine, strict=True)]
    assert len(moved) > 1
    victim = scene.victim(table, moved)
    assert scene.run(victim) == Ran(0, scene.expected, "")


def test_rows_of_another_table(scene: Scene) -> None:
    """A judgement is no function, even under a function's key; both have the same columns."""
    verdicts, functions = scene.rows("user", "verdicts"), scene.rows("user", "functions")
    for table, there, here in (
        ("functions", functions, verdicts),
        ("verdicts", verdicts, functions),
    ):
        moved = [(row[0], *other[1:]) for row, other in zip(there, here * 3, strict=False)]
        assert scene.run(scene.victim(table, moved)) == Ran(0, scene.expected, "")
        assert scene.run(scene.victim(table, here)) == Ran(0, scene.expected, "")


def test_the_whole_file(scene: Scene) -> None:
    shutil.copytree(scene.folder / "forger", scene.folder / "victim")
    assert scene.run("victim") == Ran(0, scene.expected, "")


def test_a_key_that_is_not_the_users(scene: Scene) -> None:
    """Another key of the user's: rows are gone.

    A key that others may read, or that another owns: said once, and nothing is used.
    """
    key = scene.folder / "state" / "isel-key" / "key"
    theirs = (scene.folder / "forgers-state" / "isel-key" / "key").read_bytes()
    key.write_bytes(bytes(32))
    assert scene.run("forger") == scene.run("user") == Ran(0, scene.expected, "")
    key.write_bytes(theirs)
    key.chmod(0o644)
    ran = scene.run("forger")
    assert (ran.code, ran.out) == (0, scene.expected)
    key.unlink()
    key.symlink_to(scene.folder / "forgers-state" / "isel-key" / "key")
    ran = scene.run("forger")
    assert (ran.code, ran.out) == (0, scene.expected)


@pytest.mark.parametrize("what", ["file", "folder", "owner", "key"])
def test_files_of_others(
    scene: Scene, what: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Even rows that the key signed are not read from a file that others may write."""
    monkeypatch.setenv("XDG_STATE_HOME", str(scene.folder / "forgers-state"))
    if what == "owner":
        user = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: user)
    elif what == "key":
        (scene.folder / "forgers-state" / "isel-key" / "key").chmod(0o640)
    else:
        (scene.folder / "forger" / ("cache.sqlite" if what == "file" else "")).chmod(0o770)
    ran = scene.run("forger")
    assert (ran.code, ran.out) == (0, scene.expected)
    assert len([r for r in caplog.records if r.name == "isel.cache"]) == 1


def test_an_export_of_the_forgers(scene: Scene, isel: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be proved is refused; prices may be lied about, which ``--anew`` finds out."""
    with monkeypatch.context() as theirs:
        theirs.setenv("XDG_STATE_HOME", str(scene.folder / "forgers-state"))
        assert (
            isel(
                "cache", "export", scene.folder / "rows.sqlite", "--cache", scene.folder / "forger"
            ).code
            == 0
        )
    for name, more in (("believing", ()), ("anew", ("--anew",))):
        ran = isel(
            "cache", "import", scene.folder / "rows.sqlite", "--cache", scene.folder / name, *more
        )
        assert ran.code == 3 and "took 1 results, refused 2\n" in ran.out
        out = scene.run(name).out
        assert "llvm.usub.sat" in out and CLAMP in out
        assert (out == scene.expected) is (name == "anew")
