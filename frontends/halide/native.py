"""Compiled pipelines as Python functions of numpy arrays, and their time; for this machine only.

Code that faults ends the process: run what is not trusted in a
:class:`frontends.llvm.linked.worker.LlvmWorker`.
"""

from __future__ import annotations

import ctypes
import time
import weakref
from collections.abc import Callable
from functools import cache
from typing import Final

from frontends.halide.buffers import Argument, Call
from frontends.halide.build import object_of
from frontends.halide.package import HalideProblem, Signature, runtime_object
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked import binding
from isel.errors import UsageProblem
from semantics import target_named

_RUNTIME: Final = b"\0halide_"  # a symbol of the run-time library
_DRIVER: Final = """\
declare i32 @{name}_argv(ptr)

define i32 @isel.drive(i64 %n, ptr %argv) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %status = call i32 @{name}_argv(ptr %argv)
  call void asm sideeffect "", "~{{memory}}"()
  %j = add nuw i64 %i, 1
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 %status
}}
"""


_SHUTDOWN: Final = """\
declare void @halide_shutdown_thread_pool()

define void @isel.shutdown() {
  call void @halide_shutdown_thread_pool()
  ret void
}
"""


class Loaded:
    """An object file of Halide's or ours in this process: its ``_argv`` function in a loop."""

    def __init__(self, code: bytes, name: str, target: HalideTarget) -> None:
        check_runnable(target)
        self._name = name
        text, codes = _DRIVER.format(name=name), [code]
        library = _RUNTIME in code
        if library:
            text, codes = text + _SHUTDOWN, [code, _runtime(target.own)]
        self._linked = binding.NativeModule(text, codes)
        drive = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p)
        self._entry = drive(self._linked.address("isel.drive"))
        if library:
            weakref.finalize(self, _shut_down, self._linked)

    def run(self, argv: int, repetitions: int) -> None:
        """Call it with the array of argument addresses at ``argv``; raises
        :class:`HalideProblem` where it fails.
        """
        status = self._entry(repetitions, argv)
        if status:
            raise HalideProblem(f"'{self._name}' fails with Halide's error {status}")

    def address(self, symbol: str) -> int:
        """Return the address of a function of the object."""
        return self._linked.address(symbol)


class Filter:
    """A compiled pipeline; call it with arrays and scalars in the order of ``signature``."""

    def __init__(self, code: bytes, signature: Signature, target: HalideTarget) -> None:
        self.signature = signature
        self._loaded = Loaded(code, signature.name, target)

    def __call__(self, *arguments: Argument) -> None:
        """Run once; raises :class:`UsageProblem` for arguments that do not fit and
        :class:`HalideProblem` where the pipeline fails.
        """
        call = Call(self.signature, arguments)  # keeps what is at its address
        self._loaded.run(call.address, 1)

    def bind(self, *arguments: Argument) -> Callable[[int], int]:
        """Return a function that runs the pipeline on these arguments n times and returns the
        nanoseconds that took.
        """
        call = Call(self.signature, arguments)

        def run(repetitions: int) -> int:
            start = time.perf_counter_ns()
            self._loaded.run(call.address, repetitions)
            return time.perf_counter_ns() - start

        return run


def callable_of(code: str | bytes, signature: Signature, target: HalideTarget) -> Filter:
    """Return a module (text) or an object file as a Python function.

    Text goes through LLVM's pipeline first.  Raises :class:`UsageProblem` for a target that this
    machine cannot run.
    """
    check_runnable(target)
    made = code if isinstance(code, bytes) else object_of(code, target)
    return Filter(made, signature, target)


def check_runnable(target: HalideTarget) -> None:
    """Raise :class:`UsageProblem` unless this machine executes code for ``target``."""
    known = target_named(target.name)
    if not known.handles(binding.host_triple()):
        raise UsageProblem(f"this machine does not run code for '{target.name}'")
    used = frozenset[str]().union(*(i.features for i in known.instructions()))
    missing = (known.features(target.cpu, target.features) & used) - binding.host_features()
    if missing:
        names = ", ".join(sorted(missing))
        raise UsageProblem(f"this machine has no {names}, which {target.cpu} has")


def _shut_down(linked: binding.NativeModule) -> None:
    """End the threads of a run-time library before its code goes."""
    ctypes.CFUNCTYPE(None)(linked.address("isel.shutdown"))()


@cache
def _runtime(target: str) -> bytes:
    return runtime_object(target)
