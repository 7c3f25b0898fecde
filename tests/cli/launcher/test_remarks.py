"""Remarks of builds: files in a folder, and what clang's own flags ask for, behind what clang says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from isel.cli.launcher import remarks
from isel.cli.launcher.remarks import Wanted, tell, wanted_remarks
from isel.cli.remarks.findings import UNCHANGED
from tests.cli.launcher.running import PROJECT, Launcher, files_in

FLAGS = ("-O2", "-ftree-vectorize", "-march=haswell", "-I", PROJECT, "-c")


class _Documents(yaml.SafeLoader):
    """Reads remarks: their kind is a tag."""


_Documents.add_multi_constructor(
    "!", lambda loader, kind, node: (kind, loader.construct_mapping(node))
)


def documents(path: Path) -> list[tuple[str, dict[str, object]]]:
    return list(yaml.load_all(path.read_text(), _Documents))


def results(path: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(path.read_text())["runs"][0]["results"]
    return found


@pytest.mark.tools
@pytest.mark.parametrize("compiler", ["clang-14", "clang-19"])
def test_two_files_an_object(launcher: Launcher, tmp_path: Path, compiler: str) -> None:
    words = (compiler, *FLAGS, PROJECT / "hot.c", "-o")
    assert launcher(*words, "without.o", cwd=tmp_path).code == 0
    said = []
    for _ in range(2):  # searched, then known
        ran = launcher(*words, "hot.o", cwd=tmp_path, ISEL_REMARKS="told")
        assert (ran.code, ran.err) == (0, "")
        (text,), (log,) = (sorted((tmp_path / "told").glob(f"*.{k}")) for k in ("yaml", "sarif"))
        said.append((text.read_text(), log.read_text()))
    assert said[0] == said[1]
    assert (tmp_path / "hot.o").read_bytes() == (tmp_path / "without.o").read_bytes()
    kinds = [kind for kind, row in documents(text) if row["Pass"] == "isel"]
    assert "Passed" in kinds
    found = results(log)
    assert len(found) == kinds.count("Passed") + kinds.count("Missed")
    (first, *_) = (r for r in found if r["ruleId"] == "window-rewritten")
    assert '"startLine": ' in json.dumps(first)
    assert '/project/hot.c"' in json.dumps(first)


@pytest.mark.tools
def test_clang_speaks_first_and_as_it_does(launcher: Launcher, tmp_path: Path) -> None:
    flags = ("-Rpass=vectorize|isel", "-Rpass-missed=.*", "-Rpass-analysis=isel", "-Wall")
    words = ("clang-19", *FLAGS, PROJECT / "hot.c", *flags, "-fsave-optimization-record", "-o")
    (tmp_path / "plain").mkdir()
    plain = launcher.plain(*words, "hot.o", cwd=tmp_path / "plain")
    ran = launcher(*words, "hot.o", "-MD", cwd=tmp_path)
    assert ran.code == 0
    assert ran.err.startswith(plain.err)
    ours = ran.err.removeprefix(plain.err).splitlines()
    assert [line for line in ours if line.endswith("[-Rpass=isel]") and "proved" in line]
    assert all(": remark: @" in line and line.endswith("=isel]") for line in ours)
    before = (tmp_path / "plain" / "hot.opt.yaml").read_bytes()
    after = (tmp_path / "hot.opt.yaml").read_bytes()
    assert after.startswith(before)
    assert {row["Pass"] for _, row in documents(tmp_path / "hot.opt.yaml")[-2:]} == {"isel"}
    assert launcher("clang-19", *FLAGS, PROJECT / "hot.c", "-o", "other.o", cwd=tmp_path).code == 0
    assert (tmp_path / "hot.o").read_bytes() == (tmp_path / "other.o").read_bytes()
    assert files_in(tmp_path, ["plain/"]) == ["hot.d", "hot.o", "hot.opt.yaml", "other.o"]


@pytest.mark.tools
def test_what_is_not_asked_for_is_not_said(launcher: Launcher, tmp_path: Path) -> None:
    words = ("clang-19", *FLAGS, PROJECT / "hot.c", "-o", "hot.o")
    record = "-foptimization-record-passes=inline"
    for flags in (("-Rpass=inline",), ("-Rpass=isel", "-Rpass=inline"), (record,)):
        plain = launcher.plain(*words, *flags, cwd=tmp_path)
        before = files_in(tmp_path)
        kept = {n: (tmp_path / n).read_bytes() for n in before if n.endswith(".yaml")}
        ran = launcher(*words, *flags, cwd=tmp_path)
        assert (ran.code, ran.err) == (0, plain.err)
        assert kept == {n: (tmp_path / n).read_bytes() for n in kept}
    ran = launcher("clang-19", *FLAGS, PROJECT / "hot.c", "-Rpass=(", "-o", "no.o", cwd=tmp_path)
    assert ran.code == 1  # clang says what is wrong with the pattern, once
    assert ran.err.count("error:") == 1


@pytest.mark.tools
def test_nothing_to_rewrite_is_the_plain_object(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(int x) { return x / 7; }\n")
    words = ("clang-19", "-O2", "-c", "a.c", "-Rpass=isel", "-Rpass-missed=isel")
    assert launcher.plain(*words, "-o", "plain.o", cwd=tmp_path).code == 0
    ran = launcher(*words, cwd=tmp_path, ISEL_REMARKS="told")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "a.o").read_bytes() == (tmp_path / "plain.o").read_bytes()
    (log,) = (tmp_path / "told").glob("*.sarif")
    assert results(log) == []


@pytest.mark.tools
def test_a_folder_that_cannot_be_written(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    words = ("clang-19", *FLAGS, PROJECT / "hot.c", "-o")
    said = [launcher(*words, o, cwd=tmp_path, ISEL_REMARKS="file").err for o in ("a.o", "b.o")]
    assert said == ["isel-cc: warning: no remarks: file: file exists\n", ""]
    assert (tmp_path / "a.o").read_bytes() == (tmp_path / "b.o").read_bytes()


def test_why_an_object_is_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = wanted_remarks((), {"ISEL_REMARKS": "told"})
    assert wanted == Wanted("told", ())
    for kept in ("ISEL_FLAGS", "the rewriter failed"):
        tell(wanted, [], "a.c", "a.o", found="nowhere", kept=kept)
        (log,) = Path("told").glob("*.sarif")
        (row,) = results(log)
        assert row["ruleId"] == UNCHANGED
        assert kept in str(row["message"])


def test_nobody_asks() -> None:
    assert wanted_remarks((), {}) is None


def test_a_bug_is_a_line_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ISEL_LOG", "log")
    (tmp_path / "found").write_text("[[")
    monkeypatch.setattr(remarks, "_print", None)
    tell(Wanted("told", ()), [], "a.c", "a.o", found="found", kept="")
    assert "a.o: no remarks: JSONDecodeError" in Path("log").read_text()
    assert capfd.readouterr().err == ""
