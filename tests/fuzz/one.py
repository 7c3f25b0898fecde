"""``python -m tests.fuzz one``: functions of :mod:`tests.fuzz.generate` one by one, with what
they differ in.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from isel.cli import main as isel
from isel.cli.edge import INTERRUPTED
from isel.spec.instruction import Instruction
from tests.fuzz.generate import Generated, generate
from tests.fuzz.harness import Agreed, Differed, NotRunnable, Verdict, check_reference, check_seed


class RewriteFailed(Exception):
    """``isel opt`` ended with an error."""


def isel_opt(text: str, *, cpu: str, flags: Sequence[str]) -> str:
    """Return what ``isel opt`` makes of a module, run in this process."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "in.ll"), Path(folder, "out.ll")
        source.write_text(text)
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            status = isel(["opt", str(source), "-S", "-o", str(result), f"-mcpu={cpu}", *flags])
        if status == INTERRUPTED:  # it is this run that is to end
            raise KeyboardInterrupt
        if status != 0:
            raise RewriteFailed(f"exit status {status}: {errors.getvalue().strip()}")
        return binding.normalise(result.read_text())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``python -m tests.fuzz one``."""
    parser.add_argument("--count", type=int, default=300, help="how many functions")
    parser.add_argument(
        "--seed", type=int, default=1, help="the seed of the first; the others follow"
    )
    parser.add_argument(
        "--cpu", default="native", help="what isel opt is told; the code runs on this machine"
    )
    parser.add_argument(
        "--calls", type=int, default=4, help="calls on different buffers per function"
    )
    parser.add_argument(
        "--intrinsics",
        action="store_true",
        help="mix in target intrinsics of the host's instructions",
    )
    parser.add_argument(
        "--reference",
        action="store_true",
        help="hold the reference interpreter against LLVM instead of isel opt",
    )
    parser.add_argument("--keep", type=Path, help="a folder for the functions that differ")
    parser.add_argument(
        "--opt-flag",
        action="append",
        default=[],
        help="a further flag of isel opt, such as --opt-flag=--effort=2",
    )


def _instructions(wanted: bool) -> tuple[Instruction, ...]:
    if not wanted:
        return ()
    from semantics import target_for

    host = binding.host_features()
    return tuple(
        i for i in target_for(binding.host_triple()).instructions() if i.call and i.features <= host
    )


def _verdict(worker: LlvmWorker, generated: Generated, options: argparse.Namespace) -> Verdict:
    if options.reference:
        target = None
        if options.intrinsics:
            from semantics import target_for

            target = target_for(binding.host_triple())
        return check_reference(worker, generated, target, calls=options.calls)
    rewrite = partial(isel_opt, cpu=options.cpu, flags=options.opt_flag)
    try:
        return check_seed(worker, generated, rewrite, calls=options.calls)
    except RewriteFailed as failure:
        return Differed(f"isel opt failed: {failure}")


def run(options: argparse.Namespace) -> int:
    """Run; return 1 if any function differs."""
    instructions = _instructions(options.intrinsics)
    counts = {"changed": 0, "unchanged": 0, "not runnable": 0, "different": 0}
    print(f"seeds {options.seed} to {options.seed + options.count - 1}")
    with LlvmWorker(seconds=10) as worker:
        for number in range(options.count):
            generated = generate(options.seed + number, instructions)
            verdict = _verdict(worker, generated, options)
            counts[_count(verdict)] += 1
            if isinstance(verdict, Differed):
                _report(generated, verdict, options.keep)
            if sys.stderr.isatty() or (number + 1) % 100 == 0:
                print(
                    f"\r{number + 1}/{options.count} {counts}",
                    end="" if sys.stderr.isatty() else "\n",
                    file=sys.stderr,
                    flush=True,
                )
    print(
        f"\nseed {options.seed}, {options.count} functions: {', '.join(f'{n} {what}' for what, n in counts.items())}"
    )
    return 1 if counts["different"] else 0


def _count(verdict: Verdict) -> str:
    match verdict:
        case Agreed(changed):
            return "changed" if changed else "unchanged"
        case Differed():
            return "different"
        case NotRunnable():
            return "not runnable"


def _report(generated: Generated, verdict: Differed, keep: Path | None) -> None:
    print(f"\nseed {generated.seed}: {verdict.what}\n{generated.text}")
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"seed{generated.seed}.ll").write_text(generated.text)
