"""A process that stays between compiles: it has loaded what a rewrite needs, and forks a child for
each that is asked for (:mod:`isel.cli.launcher.asking`).

It has no module of a user in it, and ends when nobody asks, when its memory grows, or when the
tool's files are others than it was started for.
"""

from __future__ import annotations

import fcntl
import gc
import marshal
import os
import re
import resource
import socket
from typing import TYPE_CHECKING, Final, NoReturn

from isel.cli.launcher.children import ENDING
from isel.cli.launcher.light import signal, suppress
from isel.cli.launcher.limits import SERVER_ANSWER, SERVER_IDLE, SERVER_MEMORY
from isel.cli.launcher.meeting import TAKEN, carry_out, is_own, name_of

if TYPE_CHECKING:
    from isel.cli.launcher.meeting import Values

# A loop that most of what plans, searches, proves and prices has a part in.
_SAMPLE: Final = """\
declare <16 x i16> @llvm.smax.v16i16(<16 x i16>, <16 x i16>)
define void @f(ptr noalias %p, ptr noalias %q, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %g = getelementptr inbounds i8, ptr %p, i64 %i
  %h = getelementptr inbounds i8, ptr %q, i64 %i
  %a = load <16 x i8>, ptr %g, align 1
  %b = load <16 x i8>, ptr %h, align 1
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %d = sub nsw <16 x i16> %x, %y
  %e = call <16 x i16> @llvm.smax.v16i16(<16 x i16> %d, <16 x i16> zeroinitializer)
  %t = trunc <16 x i16> %e to <16 x i8>
  store <16 x i8> %t, ptr %g, align 1
  %j = add nuw i64 %i, 16
  %c = icmp eq i64 %j, %n
  br i1 %c, label %exit, label %loop
exit:
  ret void
}
"""
_LISTENER, _LOCK = 3, 4  # descriptors
_TARGET: Final = re.compile(r"^target .*\n", re.MULTILINE)
_MACHINE: Final = re.compile(r'"target-(?:cpu|features)"="[^"]*"')


def serve(listener: int, lock: int, path: str, order: Values, mask: set[int]) -> NoReturn:
    """Answer at a socket of this path, which is bound and whose lock is held; end the process.
    Other orders are supposed to be for the machine that this ``order`` is for.
    """
    _let_go(listener, lock, mask)
    link = socket.socket(fileno=_LISTENER)
    name = os.path.basename(path)
    with suppress(Exception):  # a child fails alike, and then the compile that asked does it
        _load(order)
    with suppress(OSError):
        if name_of(str(order[0]), os.environ) == name:  # no file of the tool has changed meanwhile
            gc.freeze()
            _answer(link)
    for end in (path, f"{path}.lock"):
        with suppress(OSError):
            os.unlink(end)
    link.close()
    with suppress(ChildProcessError):
        while os.wait():
            pass
    os._exit(0)


def _let_go(listener: int, lock: int, mask: set[int]) -> None:
    """Keep nothing of the build open, and end by what ends a process."""
    nothing = os.open(os.devnull, os.O_RDWR)
    kept = [fcntl.fcntl(end, fcntl.F_DUPFD, 16) for end in (nothing, listener, lock)]
    for number, end in enumerate((kept[0], kept[0], kept[0], kept[1], kept[2])):
        os.dup2(end, number, inheritable=number < _LISTENER)
    os.closerange(_LOCK + 1, os.sysconf("SC_OPEN_MAX"))
    os.chdir("/")
    with open("/proc/self/comm", "w", encoding="ascii") as name:
        name.write("isel-server")
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _load(order: Values) -> None:
    """Import and make what a rewrite needs, by rewriting a sample for the machine of a module."""
    from isel.cli.launcher.rewriter import Order, decide

    about = Order(*order)  # type: ignore[arg-type]  # of the process that was forked
    with open(about.ir, encoding="utf-8", errors="replace") as file:
        text = file.read()
    machine = " ".join(dict.fromkeys(_MACHINE.findall(text)))
    sample = f"{''.join(_TARGET.findall(text))}{_SAMPLE}attributes #0 = {{ {machine} }}\n"
    decide(Order("", "", "", about.version, about.level, "", quick=True), sample, "off")


def _answer(listener: socket.socket) -> None:
    """Have a child answer each who asks, until nobody does any more."""
    from isel.forks import fork

    listener.settimeout(SERVER_IDLE)
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < SERVER_MEMORY:
        try:
            link, _ = listener.accept()
        except TimeoutError:
            if not _reap():
                return
            continue
        with link:
            if is_own(link) and not fork():
                try:
                    os.closerange(_LISTENER, _LOCK + 1)
                    _do(link)
                finally:
                    os._exit(0)
        _reap()


def _reap() -> bool:
    """Forget children that have ended; tell whether there are others."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _do(link: socket.socket) -> None:
    """Do what is asked for in this process; what fails is done again by who asked."""
    link.settimeout(SERVER_ANSWER)
    with link.makefile("rb") as file:
        folder, environment, order, answer, said, seen = marshal.load(file)
    os.chdir(folder)
    status = os.stat(order[0])
    if (status.st_dev, status.st_ino) != tuple(seen):
        return
    link.sendall(TAKEN)
    _end_with(link)
    os.environ.clear()
    os.environ.update(environment)
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for number in (1, 2):
        os.dup2(out, number)
    carry_out(order, answer)
    link.sendall(f"{round(1000 * sum(os.times()[:4]))}\n".encode())


def _end_with(link: socket.socket) -> None:
    """Have the kernel end this process, wherever it is, when who asked is gone."""
    fcntl.fcntl(link, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(link, fcntl.F_SETFL, fcntl.fcntl(link, fcntl.F_GETFL) | os.O_ASYNC)
    link.setblocking(False)
    with suppress(BlockingIOError):
        if not link.recv(1, socket.MSG_PEEK):  # it was gone before the kernel was told
            os._exit(1)
