"""What the API does to the process that imports it: nothing until it is called, then little."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import llvmlite.binding as llvm

import isel
from isel.api import calls
from isel.api.calls import turn
from semantics.digest import digests
from tests.api.modules import CPU, DOT4, PLAIN, ROOT


def python(code: str, **changes: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONWARNINGS"}
    environment = {**kept, "PYTHONPATH": str(ROOT), **changes}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )


def test_an_import_loads_nothing() -> None:
    ran = python(
        "import sys; known = {*sys.modules}; import isel; print(sorted({*sys.modules} - known))"
    )
    assert ran.stdout == "['__future__', 'isel']\n"
    assert dir(isel) == sorted([*isel.__all__, "__version__"])


def test_nothing_of_the_command_line_is_behind_it() -> None:
    code = f"""
import sys, isel
isel.optimize({PLAIN!r}, cache=False); isel.windows({PLAIN!r}); isel.verify({PLAIN!r}, {PLAIN!r})
isel.explain("paddb")
print([m for m in sys.modules if m.startswith("isel.cli")])
"""
    ran = python(code)
    assert (ran.stdout, ran.stderr) == ("[]\n", "")


def test_the_prover_s_folder_hides_no_function() -> None:
    import isel.verify.prove
    from isel.verify.prove import prove

    assert prove is sys.modules["isel.verify.prove"].prove
    assert isel.verify(PLAIN, PLAIN).proved


def test_four_threads_get_what_one_gets() -> None:
    texts = [DOT4, PLAIN, DOT4.replace("@dot4", "@other"), DOT4.replace("sext", "zext")]
    alone = [isel.optimize(t, cpu=CPU, cache=False, time_limit=None) for t in texts]

    def job(text: str) -> isel.Result[llvm.ModuleRef]:
        module = llvm.parse_assembly(text)
        return isel.optimize(module, cpu=CPU, cache=False, time_limit=None)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(job, texts * 2))
    for one, other in zip(alone * 2, found, strict=True):
        assert [w.after for w in one.windows] == [w.after for w in other.windows]
        assert one.functions == other.functions


def test_a_worker_ends_with_its_thread() -> None:
    seen: list[int] = []

    def job() -> None:
        with turn() as worker:
            assert worker is not None
            seen.append(worker.run(os.getpid))  # type: ignore[arg-type]

    for _ in range(2):
        thread = threading.Thread(target=job)
        thread.start()
        thread.join()
    assert len({os.getpid(), *seen}) == 3
    assert not any(Path(f"/proc/{pid}").exists() for pid in seen)


def test_a_call_that_waits_too_long_gives_the_module_back() -> None:
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with turn():
            entered.set()
            leave.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    entered.wait()
    done = isel.optimize(DOT4, cpu=CPU, cache=False, time_limit=0.01)
    leave.set()
    thread.join()
    assert done.module is DOT4 and done.limited


def test_a_fork_after_a_call_works_and_leaves_the_parent_s_worker_alone() -> None:
    want = isel.optimize(DOT4, cpu=CPU, cache=False, time_limit=None).module
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        found = isel.optimize(DOT4, cpu=CPU, cache=False, time_limit=None).module
        os.write(writer, b"equal" if found == want else b"other")
        calls._close()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        assert said.read() == "equal"
    os.waitpid(pid, 0)
    assert isel.optimize(DOT4, cpu=CPU, cache=False, time_limit=None).module == want


INTERRUPTED = f"""
import isel, os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
threading.Timer(float(sys.argv[1]), os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    for k in range(1000):
        isel.optimize({DOT4!r}.replace("dot4", f"dot{{k}}"), cpu={CPU!r}, cache=False, effort=k)
except KeyboardInterrupt:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    print("interrupted", isel.optimize({PLAIN!r}, cache=False).limited)
"""


def test_an_interrupt_passes_and_leaves_nothing(tmp_path: Path) -> None:
    for seconds in ("0.3", "1.5"):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
        process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, seconds],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        )  # fmt: skip
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (0, "interrupted False\n", "")
        assert not list(tmp_path.iterdir())


def test_a_tracer_and_a_handler_of_the_caller_stay() -> None:
    def mine(number: int, frame: object) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGINT, mine)
    tracer = sys.gettrace()
    try:
        assert isel.optimize(PLAIN, cache=False).functions
        assert signal.getsignal(signal.SIGINT) is mine and sys.gettrace() is tracer
    finally:
        signal.signal(signal.SIGINT, before)


def test_memory_is_flat() -> None:
    def size() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    for k in range(10):
        isel.optimize(DOT4.replace("dot4", f"dot{k}"), cpu=CPU, cache=False)
    before, start = size(), time.process_time()
    for k in range(10, 20):
        isel.optimize(DOT4.replace("dot4", f"dot{k}"), cpu=CPU, cache=False)
    assert size() < 1.1 * before
    assert (time.process_time() - start) / 10 < 0.5


def test_digests_are_those_of_the_version() -> None:
    assert all(len(digest) == 16 for _, digest in digests())
