"""``isel batch``: the same bytes as ``isel opt``, what is done is not done again, and what goes
wrong costs its own module.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from isel.cli.batch import command, task, work
from isel.cli.batch.inputs import modules_of
from isel.cli.batch.task import Answer, Fate, Task
from tests.cli.conftest import Ran, environment
from tests.cli.modules import CPU, PLAIN, WINDOW, Run

GARBAGE = {
    "bad.ll": b"define i32 @f( {\n",
    "bad.bc": b"BC\xc0\xde\x00\x01",
    "sub/empty.ll": b"",
    "binary.ll": bytes(range(256)),
}


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """Return a folder of three small modules without a window."""
    for name in ("a.ll", "sub/b.ll", "sub/deeper/c.ll"):
        (tmp_path / "in" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "in" / name).write_text(PLAIN + f"; {name}\n")
    return tmp_path / "in"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def status(out: Path) -> dict[str, str]:
    return {
        name: json.loads(data)["status"]
        for name, data in tree(out).items()
        if name.endswith(".json")
    }


def counted(
    monkeypatch: pytest.MonkeyPatch, folder: Path, before: Callable[[Task], None] = lambda t: None
) -> Callable[[], list[str]]:
    """Return what tells the names of the modules that were done since it was last asked;
    ``before`` is called in the worker, nothing is rewritten.
    """
    folder.mkdir()

    def performed(given: Task, scratch: Path | None = None) -> Answer:
        (folder / given.name.replace("/", "_")).touch()
        before(given)
        return Answer(
            Fate.DONE, "", json.dumps({"file": given.name, "windows_rewritten": 0}), given.data
        )

    def names() -> list[str]:
        found = sorted(p.name for p in folder.iterdir())
        for name in found:
            (folder / name).unlink()
        return found

    monkeypatch.setattr(command, "perform", performed)
    return names


def test_outputs_are_those_of_opt(isel: Run, tmp_path: Path) -> None:
    ran = isel("batch", WINDOW, "-o", "out", CPU, "-j2")
    assert ran.code == 0
    Path(WINDOW.name).write_bytes(WINDOW.read_bytes())
    assert (
        isel(
            "opt", WINDOW.name, "-o", "alone.ll", CPU, "--stats-json", "alone.json", strict=False
        ).code
        == 0
    )
    assert (tmp_path / "out" / WINDOW.name).read_bytes() == Path("alone.ll").read_bytes()
    record, alone = (
        json.loads((tmp_path / "out" / f"{WINDOW.name}.json").read_text()),
        json.loads(Path("alone.json").read_text()),
    )
    assert record["status"] == "rewritten" and {name: record[name] for name in alone} == alone
    assert ran.out.startswith("1 modules, 1 rewritten: 1 of 1 windows, ") and WINDOW.name in ran.out
    page = Path("out/summary.html").read_text()
    assert f'<a href="{WINDOW.name}">{WINDOW.name}</a>' in page
    assert sorted(os.listdir("out")) == [WINDOW.name, f"{WINDOW.name}.json", "summary.html"]


def test_what_is_done_is_not_done_again(
    isel: Run, plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = counted(monkeypatch, tmp_path / "done")
    assert isel("batch", plain, "-o", "out").code == 0
    assert done() == ["a.ll", "sub_b.ll", "sub_deeper_c.ll"]
    first = tree(tmp_path / "out")
    assert status(tmp_path / "out") == dict.fromkeys(
        ("a.ll.json", "sub/b.ll.json", "sub/deeper/c.ll.json"), "unchanged"
    )
    for damage, again in (
        (lambda: None, []),
        (lambda: (plain / "a.ll").write_text(PLAIN + "; a.ll\n"), []),
        (lambda: Path("out/a.ll").write_text(""), ["a.ll"]),
        (lambda: Path("out/a.ll").unlink(), ["a.ll"]),
        (lambda: Path("out/sub/b.ll.json").write_text("{}"), ["sub_b.ll"]),
        (lambda: Path("out/sub/b.ll.json").write_bytes(b"[\xff"), ["sub_b.ll"]),
        (lambda: Path("out/sub/b.ll.json").unlink(), ["sub_b.ll"]),
    ):
        damage()
        assert isel("batch", plain, "-o", "out").code == 0
        assert (done(), tree(tmp_path / "out")) == (again, first)
    (plain / "a.ll").write_text(PLAIN.replace("add", "sub"))
    assert isel("batch", plain, "-o", "out").code == 0
    assert done() == ["a.ll"]
    assert isel("batch", plain, "-o", "out", "--effort=0").code == 0
    assert len(done()) == 3
    monkeypatch.setattr(command, "tool_identity", lambda: "another")
    assert isel("batch", plain, "-o", "out", "--effort=0").code == 0
    assert len(done()) == 3


def test_garbage_is_told_by_file_and_the_rest_is_done(
    isel: Run, plain: Path, tmp_path: Path
) -> None:
    for name, data in GARBAGE.items():
        (plain / name).write_bytes(data)
    (plain / "gone.ll").symlink_to("nowhere")
    os.mkfifo(plain / "pipe.ll")
    ran = isel("batch", plain, "-o", "out")
    assert ran.code == 1
    told = [line.split(":")[1].strip() for line in ran.err.splitlines()]
    assert (
        sorted(told) == sorted([*GARBAGE, "gone.ll", "pipe.ll"])
        and "isel: gone.ll: error: no such file or directory\n" in ran.err
    )
    assert ran.out.startswith("9 modules, 0 rewritten, 6 failed: ")
    found = status(tmp_path / "out")
    assert {n.removesuffix(".json") for n, s in found.items() if s == "refused"} == set(GARBAGE)
    assert (found["gone.ll.json"], found["pipe.ll.json"], found["a.ll.json"]) == (
        "lost",
        "lost",
        "unchanged",
    )
    assert not (tmp_path / "out" / "bad.ll").exists() and (tmp_path / "out" / "a.ll").exists()
    assert isel("batch", plain, "-o", "out") == ran


def test_what_was_made_of_an_earlier_input_goes(isel: Run, plain: Path) -> None:
    assert isel("batch", plain, "-o", "out").code == 0
    (plain / "a.ll").write_text("garbage")
    assert isel("batch", plain, "-o", "out").code == 1
    assert not Path("out/a.ll").exists() and Path("out/sub/b.ll").exists()


def test_a_worker_that_dies_or_takes_too_long_costs_its_module(
    isel: Run, plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = {
        "a.ll": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "sub/b.ll": lambda: time.sleep(50),
    }
    done = counted(
        monkeypatch, tmp_path / "done", lambda given: ends.get(given.name, lambda: None)()
    )
    monkeypatch.setattr(command, "COMMAND_PATIENCE", 0.0)
    ran = isel("batch", plain, "-o", "out", "-j1", "--time-limit=1")
    assert (ran.code, len(done())) == (1, 3)
    assert sorted(ran.err.splitlines()) == [
        "isel: a.ll: error: the worker was ended by signal 9 (Killed)",
        "isel: sub/b.ll: error: no answer within 2 s",
    ]
    assert set(status(tmp_path / "out").values()) == {"lost", "unchanged"}
    ends.clear()
    assert isel("batch", plain, "-o", "out", "-j1", "--time-limit=1").code == 0
    assert done() == ["a.ll", "sub_b.ll"]


def test_a_bug_costs_its_module_and_is_told(
    isel: Run, plain: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(given: Task, folder: Path) -> Answer:
        if given.name == "a.ll":
            raise ZeroDivisionError("by\nzero")
        return Answer(
            Fate.DONE, "", json.dumps({"file": given.name, "windows_rewritten": 0}), given.data
        )

    monkeypatch.setattr(task, "_perform", broken)
    ran = isel("batch", plain, "-o", "out")
    assert (ran.code, ran.err) == (70, "isel: a.ll: error: bug: ZeroDivisionError: by zero\n")
    assert status(tmp_path / "out")["a.ll.json"] == "bug"


def test_one_batch_a_folder(isel: Run, plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out").mkdir()
    held = os.open("out", os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    monkeypatch.setattr(command, "COMMAND_LOCK_ATTEMPTS", 2)
    ran = isel("batch", plain, "-o", "out")
    os.close(held)
    assert (ran.code, ran.err) == (1, "isel: out: error: another batch is writing here\n")
    assert os.listdir("out") == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["in"],
            "isel: error: the following arguments are required: -o (see 'isel batch --help')\n",
        ),
        (["in", "-o", "in/a.ll"], "isel: in/a.ll: error: file exists\n"),
        (
            ["in", "-o", "out", "--only-function=("],
            "isel: error: --only-function '(' is no regular expression: missing ), unterminated subpattern at position 0\n",
        ),
        (
            ["in", "-o", "out", "--report"],
            "isel: error: unknown flag '--report', did you mean '--effort'?\n",
        ),
        (
            ["in", "-o", "in"],
            "isel: in/a.ll: error: would be overwritten by its own output, expected another folder after -o\n",
        ),
    ],
)
def test_usage(isel: Run, plain: Path, words: list[str], message: str) -> None:
    ran = isel("batch", *words)
    assert (ran.code, ran.err) == (1, message)
    assert not Path("out").exists()


def test_a_full_disk_ends_the_batch(
    isel: Run, plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device", str(self))

    write = Path.write_bytes
    monkeypatch.setattr(
        Path,
        "write_bytes",
        lambda self, data: full(self, data) if self.name == "part" else write(self, data),
    )
    ran = isel("batch", plain, "-o", "out")
    assert (
        ran.code == 1
        and ran.err.startswith("isel: out/")
        and ran.err.endswith(": error: no space left on device\n")
    )
    assert tree(Path("out")) == {}


def test_tasks_travel_whole(plain: Path) -> None:
    given = Task(
        "sub/\udcff\n.ll", ".ll", ("--effort=1", "-mcpu=haswell"), b"\0\n\xff", None, "t", 3
    )
    assert task._read_task(task.to_bytes(given)) == given
    answer = Answer(Fate.REFUSED, "a\nb\udcff", "{}", b"\n\n")
    assert task.read_answer(task.to_bytes(answer)) == answer


def test_a_task_in_a_process_of_its_own(plain: Path) -> None:
    given = Task("a.ll", ".ll", (), (plain / "a.ll").read_bytes())
    assert task.start(given) == task.perform(given)
    other = task.start(Task("a.ll", ".ll", (), b"", tool="another"))
    assert other.fate is Fate.FOREIGN
    assert task.start(given, 0.01) == Answer(Fate.LOST, "no answer within 0.01 s")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_batch_is_taken_up(
    spawned: Callable[..., Ran], plain: Path, tmp_path: Path, number: signal.Signals
) -> None:
    (plain / "window.ll").write_bytes(WINDOW.read_bytes())
    words = [sys.executable, "-m", "isel", "batch", str(plain), "-o", "out", CPU, "-j2"]
    with subprocess.Popen(
        words,
        env=environment(),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        until = time.monotonic() + 60
        while (
            not any(n.endswith(".json") for _, _, names in os.walk(tmp_path / "out") for n in names)
            and time.monotonic() < until
        ):
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) in (
        (130, b"", b"isel: interrupted\n"),
        (-signal.SIGKILL, b"", b""),
    )
    found = tree(tmp_path / "out")
    if number is not signal.SIGKILL:
        assert all(name.endswith((".ll", ".json")) and not name.startswith(".") for name in found)
    assert spawned("batch", plain, "-o", "out", CPU).code == 0
    assert spawned("batch", plain, "-o", "whole", CPU, "-j1").code == 0
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")
    assert not (tmp_path / "out" / command._SCRATCH).exists()


def test_work_reads_what_it_is_given(plain: Path) -> None:
    """Nothing but the bytes that were hashed is rewritten."""
    seen: list[bytes] = []

    def perform(given: Task) -> Answer:
        seen.append(given.data)
        return Answer(Fate.LOST, "later")

    module = modules_of([str(plain)], Path("out"), text=False)[0]
    found = work.work(module, work.Orders(Path("out"), (), None, "t"), perform)
    assert seen == [(plain / module.name).read_bytes()] and found.output is None and found.fresh


def test_a_task_runs_nothing_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("contextlib", "json", "isel"):
        (tmp_path / f"{name}.py").write_text('open("ran", "w").close()\n')
    monkeypatch.chdir(tmp_path)
    task.start(Task("a.ll", ".ll", (), b"", tool="another"))
    assert not (tmp_path / "ran").exists()
