"""``isel cache``: every table is checked, what is moved between machines is proved again, and
kills leave a cache that is right.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from isel.cache.database import Database
from isel.cache.rows import Signed
from isel.cli import cache
from isel.places import key_path
from isel.progress import Tell
from isel.trust import signer_at
from tests.cli.conftest import environment
from tests.cli.modules import CPU, WINDOW, Run

SEED = 11


def execute(path: Path, statement: str, *values: object) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path, isolation_level=None)
    found: list[tuple[object, ...]] = connection.execute(statement, values).fetchall()
    connection.close()
    return found


@pytest.fixture
def mine(isel: Run, tmp_path: Path) -> Path:
    assert isel("opt", WINDOW, "-S", CPU, "--cache", tmp_path / "mine").code == 0
    return tmp_path / "mine" / "cache.sqlite"


@pytest.mark.parametrize(
    ("table", "shown", "column"),
    [
        ("results", "results", "reason"),
        ("verdicts", "judgements", "value"),
        ("functions", "functions", "value"),
        ("sources", "modules", "value"),
    ],
)
def test_check_covers_every_table(
    isel: Run, mine: Path, table: str, shown: str, column: str
) -> None:
    where = ("--cache", mine.parent)
    good = isel("cache", "check", *where)
    assert (
        good.code == 0
        and good.out.count("1 results hold, 0 bad, 0 unsigned")
        == good.out.count(f": 1 {shown} hold, 0 bad, 0 unsigned")
        == 1
    )
    for change, told, why in (
        (f"{column} = {column} || ' '", "1 bad, 0 unsigned", "not what was signed"),
        ("mac = ''", "0 bad, 1 unsigned", "unsigned"),
    ):
        execute(mine, f"UPDATE {table} SET {change}")
        ran = isel("cache", "check", *where)
        assert (
            ran.code == 3
            and f": 0 {shown} hold, {told}" in ran.out
            and f": {why}\n" in ran.out
            and "1 rows do not hold" in ran.out
        )
    assert isel("cache", "export", "none.sqlite", *where).code == 0
    assert execute(Path("none.sqlite"), "SELECT count(*) FROM results") == [
        (int(table != "results"),)
    ]


def test_a_damaged_row_of_ones_own_is_bad(isel: Run, mine: Path) -> None:
    """Signed, and still nothing that can be read: what an older version with the same schema
    may have written.
    """
    database = Database(mine, signer=signer_at(key_path(os.environ)))
    database.put("verdicts", "deep", "[" * 100_000)
    database.put("functions", "long", "9" * 5000)
    database.close()
    ran = isel("cache", "check", "--cache", mine.parent)
    assert ran.code == 3 and ran.out.count("unreadable") == 2


def test_an_export_has_no_codes_and_an_import_its_own(
    isel: Run, mine: Path, tmp_path: Path
) -> None:
    assert isel("cache", "export", "rows.sqlite", "--cache", mine.parent).code == 0
    rows = tmp_path / "rows.sqlite"
    assert execute(rows, "SELECT mac FROM results") == [("",)]
    (programs,) = execute(rows, "SELECT programs FROM results")[0]
    data = json.loads(str(programs))
    false = "0" * 64
    data["programs"][0]["queries"].append(
        false
    )  # the hash of a query that a wrong rewrite elsewhere would have
    data["programs"][0]["solvers"].append("bitwuzla")
    execute(rows, "UPDATE results SET programs = ?, mac = 'x'", json.dumps(data))
    assert isel("cache", "import", rows, "--cache", tmp_path / "other").out.startswith(
        "took 1 results, refused 0\n"
    )
    (taken, mac) = execute(
        tmp_path / "other" / "cache.sqlite", "SELECT programs, mac FROM results"
    )[0]
    assert false not in str(taken) and len(str(mac)) == 64
    assert json.loads(str(taken)) == json.loads(str(programs))
    assert isel("cache", "check", "--cache", tmp_path / "other").code == 0


def test_an_export_says_how_many_rows_are_written(
    isel: Run, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also without a terminal, where a line each ten seconds says it."""
    told: list[tuple[object, ...]] = []

    @contextlib.contextmanager
    def recorded(what: str, *, always: bool) -> Iterator[Tell]:
        told.append((what, always))
        yield lambda *said: told.append(said)

    monkeypatch.setattr(cache, "progress", recorded)
    ran = isel("cache", "export", "rows.sqlite", "--cache", mine.parent)
    counts = "1 results, 1 judgements, 1 functions and the 1 modules they are from"
    assert (ran.code, ran.out) == (0, f"wrote {counts} to rows.sqlite\n")
    assert told == [("reading the cache", True), *(("rows written", k, 4) for k in range(1, 5))]


def test_an_import_of_a_cache_itself_leaves_out_what_cannot_be_proved_again(
    isel: Run, mine: Path, tmp_path: Path
) -> None:
    """It does not say which tool wrote it."""
    execute(
        mine,
        "INSERT INTO results SELECT 'nothing', target, window, '{\"programs\": [], \"versions\": {}}', reason, steps, tool, mac, used FROM results",
    )
    execute(mine, "DELETE FROM sources")
    execute(mine, "PRAGMA journal_mode = DELETE")
    ran = isel("cache", "import", mine, "--cache", tmp_path / "other")
    assert ran.code == 0
    assert ran.out.splitlines()[1:] == [
        "left out 1 results without a program: they cannot be proved again",
        "left out 1 judgements: they are made again, since another tool, LLVM or solver made them",
        "left out 1 functions: no module that they are from",
    ]
    counts = [
        execute(tmp_path / "other" / "cache.sqlite", f"SELECT count(*) FROM {t}")
        for t in ("results", "verdicts", "functions")
    ]
    assert counts == [[(1,)], [(0,)], [(0,)]]


DAMAGES = {
    "deep": ("programs", '{"programs": ' + "[" * 100_000),
    "long": ("programs", '{"programs": [{"text": "", "cost": ' + "9" * 5000 + "}]}"),
    "infinite": (
        "programs",
        '{"programs": [{"text": "", "cost": 1e999, "queries": [], "solvers": [], "claim": "", "facts": []}], "versions": {}}',
    ),
    "surrogate": (
        "programs",
        '{"programs": [{"text": "\\ud800\\n", "cost": 1, "queries": [], "solvers": [], "claim": "", "facts": []}], "versions": {}}',
    ),
    "no text": ("window", b"\xff\xfe"),
    "window": ("window", "leaf a0 32x16\n" + "(" * 100_000),
    "lanes": ("window", "root 99999999999999x16\n"),
    "target": ("target", "pdp11\n\x1b[31m"),
    "number": ("window", None),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_import_refuses_damaged_rows_in_one_line_each(
    isel: Run, mine: Path, tmp_path: Path, damage: str
) -> None:
    column, value = DAMAGES[damage]
    execute(
        mine,
        f"UPDATE results SET {column} = ?"
        if value is not None
        else "UPDATE results SET window = 5, steps = 'x', reason = 1e300",
        *([value] if value else []),
    )
    execute(mine, "DELETE FROM sources")
    execute(mine, "PRAGMA journal_mode = DELETE")
    ran = isel("cache", "import", mine, "--cache", tmp_path / "other")
    assert (ran.code, ran.err) == (3, "")
    assert (
        len(ran.out.splitlines()) == 4 and ran.out.startswith("refused ") and "\x1b" not in ran.out
    )


def differences(constant: int) -> str:
    """Return a module of functions that become one saturating subtraction each."""
    made = ""
    for lanes, bits in ((16, 8), (32, 8)):
        narrow, wide = f"<{lanes} x i{bits}>", f"<{lanes} x i{bits * 2}>"
        made += f"""\
define {narrow} @f{lanes}x{bits}({narrow} %a) {{
  %x = zext {narrow} %a to {wide}
  %d = sub nsw {wide} %x, splat (i{bits * 2} {constant})
  %m = call {wide} @llvm.smax.v{lanes}i{bits * 2}({wide} %d, {wide} zeroinitializer)
  %r = trunc {wide} %m to {narrow}
  ret {narrow} %r
}}
declare {wide} @llvm.smax.v{lanes}i{bits * 2}({wide}, {wide})
"""
    return f'target triple = "x86_64-unknown-linux-gnu"\n{made}'


def test_thirty_kills_of_the_tool_on_one_cache(tmp_path: Path) -> None:
    """Each run has something new to write; at first there is nothing, the key and the index
    included.
    """
    cache, state = tmp_path / "killed" / "c", tmp_path / "killed" / "state"
    env = environment(ISEL_CACHE=str(cache), XDG_STATE_HOME=str(state))
    module = tmp_path / "in.ll"
    words = [sys.executable, "-m", "isel", "opt", str(module), "-S", CPU, "-j2"]
    chosen = random.Random(SEED)
    killed, k, whole = 0, 0, 6.0
    while killed < 30:
        k += 1
        module.write_text(differences(k))
        if k == 6:  # by now there is an index, and a run takes as long as it will from here on
            start = time.monotonic()
            subprocess.run(words, env=env, capture_output=True, check=True)
            whole = min(time.monotonic() - start, 4.0)
            module.write_text(differences(-k))
        with subprocess.Popen(
            words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        ) as process:
            time.sleep(chosen.random() * whole)
            if process.poll() is None:
                killed += 1
                os.killpg(process.pid, signal.SIGKILL)
            assert process.communicate()[1] == b""
    module.write_text(differences(1))
    off, last, warm = (
        subprocess.run([*words, *more], env=env, capture_output=True, check=True)
        for more in (("--cache", "off"), (), ())
    )
    assert (off.stdout, b"") == (last.stdout, last.stderr) == (warm.stdout, warm.stderr)
    left = {p.name for p in cache.iterdir()}
    assert (
        "cache.sqlite" in left and len(left) == 2 and sum(n.endswith(".index") for n in left) == 1
    )
    assert sorted(p.name for p in state.rglob("*")) == ["isel-key", "key"]
    database = Database(cache / "cache.sqlite", signer=signer_at(state / "isel-key" / "key"))
    signed = [found for _, found in database.every_result()]
    signed += [
        found for table in ("verdicts", "functions") for _, _, found in database.values(table)
    ]
    database.close()
    assert signed and set(signed) == {Signed.RIGHT}
    sys.stdout.write(f"seed {SEED}: {killed} of {k} runs killed, {len(signed)} rows, all signed\n")
