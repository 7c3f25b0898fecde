"""A process that stays between compiles: it has loaded what a rewrite needs, and forks a child for
each order.  The second compile that had to load the search by itself starts it at its end.
Whatever fails, who asks does without; no module of a user is in the process itself.

Its socket is named by all that it must have in common with who asks: the tool's files, Python, our
variables, where data are kept, and what the kernel knows of a process (limits, name spaces, groups,
processors).
"""

from __future__ import annotations

import fcntl
import marshal
import os
import sys
import time

from isel.cli.launcher import children, limits
from isel.cli.launcher.light import signal, suppress
from isel.cli.launcher.places import server_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    import socket
    from collections.abc import Iterator, Mapping
    from typing import Final, NoReturn, TypeAlias

    Values: TypeAlias = tuple[str | int, ...]  # of an order (isel.cli.launcher.rewriter), IR first

_SEARCH: Final = "isel.synth.synthesize"  # a window that no row answers loads it
_TAKEN: Final = b"+"  # the first byte of an answer; milliseconds and a line's end follow
_PLACES: Final = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR")
_STATUS: Final = (
    "Umask", "Uid", "Gid", "Groups", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Cpus_allowed",
)  # fmt: skip
# One window that most of what plans, searches, proves and prices has a part in.
_SAMPLE: Final = """\
declare <16 x i16> @llvm.smax.v16i16(<16 x i16>, <16 x i16>)
define <16 x i8> @f(<16 x i8> %a, <16 x i8> %b) #0 {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %d = sub nsw <16 x i16> %x, %y
  %e = call <16 x i16> @llvm.smax.v16i16(<16 x i16> %d, <16 x i16> zeroinitializer)
  %t = trunc <16 x i16> %e to <16 x i8>
  ret <16 x i8> %t
}
"""


def carry_out(order: Values, answer: str) -> int:
    """Rewrite in this process, with counts and reasons in a file ``answer``; return 0."""
    from isel.cli.launcher.order import Order
    from isel.cli.launcher.rewriter import decide, rewrite

    how = decide
    if os.environ.get("ISEL_BISECT"):
        from isel.cli.launcher.switched import choose as how  # type: ignore[assignment]
    is_new = _SEARCH not in sys.modules
    counts, reasons = rewrite(Order(*order), how)  # type: ignore[arg-type]  # its values
    counts["loaded the search"] = int(is_new and _SEARCH in sys.modules)
    with open(answer, "w", encoding="utf-8", errors="replace") as out:
        out.writelines(f"{n} {name}\n" for name, n in counts.items())
        out.writelines(f"{line}\n" for line in reasons)
    return 0


def ask(order: Values, answer: str, said: str) -> int | None:
    """Have an order carried out, what is said going to a file ``said``; return milliseconds of
    processor time, None where nobody did it.
    """
    with suppress(OSError, ValueError):
        with open(order[0], "rb") as file:
            status, head = os.fstat(file.fileno()), file.read(limits.SERVER_HEAD)
        seen = status.st_dev, status.st_ino  # of the file that a child must see, too
        body = marshal.dumps((os.getcwd(), dict(os.environ), order, answer, said, seen))
        link = _reach(head)
        try:
            return _take_answer(link, body)
        except children.Interrupted:
            with suppress(OSError):  # wait until nothing more is written
                link.settimeout(limits.SERVER_END)
                link.shutdown(1)
                while link.recv(64):
                    pass
            raise
        finally:
            link.close()
    return None


def _take_answer(link: _socket.socket, request: bytes) -> int | None:
    link.sendall(request)
    if link.recv(1) != _TAKEN:
        return None
    link.settimeout(None)  # a search takes what it takes
    found = b""
    while part := link.recv(64):
        found += part
    return int(found) if found.endswith(b"\n") else None


def start(order: Values) -> None:
    """Start a server for what is asked next, unless there is one, somebody is at it, or no compile
    but this one has searched of late.
    """
    with suppress(OSError, ValueError):
        _reach(_sample(order[0]), order).close()


def _reach(ir: bytes, order: Values | None = None) -> _socket.socket:
    """Return a connection to the server for the machine of IR; raises :class:`OSError` where there
    is none, and starts it by an order's sample, if there is an order.
    """
    if os.environ.get("ISEL_SERVER") == "off" or not os.path.exists("/proc/self/ns"):
        raise FileNotFoundError
    place = server_folder(os.environ)
    if order:
        os.makedirs(place, mode=0o700, exist_ok=True)
    folder = os.open(place, os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(folder)
        if status.st_uid != os.geteuid() or status.st_mode & 0o077:
            raise PermissionError
        # A socket's path is short, and the folder is the one that was looked at.
        path = f"/proc/self/fd/{folder}/{name_of(ir, os.environ)}"
        if order:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            return _connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            if order and _follows_another(f"{path}.searched"):
                _start(path, order, ir)
            raise
    finally:
        os.close(folder)


def _follows_another(mark: str) -> bool:
    """Tell whether a compile has searched not long before; leave a mark that this one has."""
    with suppress(FileNotFoundError):
        if 0 <= time.time() - os.stat(mark).st_mtime < limits.SERVER_IDLE:
            return True
    os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600))
    return False


def _connect(path: str) -> _socket.socket:
    """Connect with whoever answers at a path; raises :class:`OSError`, also for another user."""
    import _socket

    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
    try:
        link.settimeout(limits.SERVER_ANSWER)
        link.connect(path)
        if not is_own(link):
            raise PermissionError
    except OSError:
        link.close()
        raise
    return link


def is_own(link: _socket.socket) -> bool:
    """Tell whether a process of this user is at the other end."""
    import _socket

    found = link.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)  # struct ucred
    return int.from_bytes(found[4:8], sys.byteorder) == os.geteuid()


def _start(path: str, order: Values, sample: bytes) -> None:
    """Start a server at a path where nobody answers; it has nothing else of this process."""
    import _socket

    with suppress(FileNotFoundError):
        os.unlink(path)
    listener = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
    before = os.umask(0o177)
    try:
        listener.bind(path)
        os.umask(before)
        listener.listen(128)
        with children.Held() as mask:
            if not os.fork():
                try:
                    os.setsid()
                    path = os.path.realpath(path)
                    _serve(_let_go(listener.fileno(), mask), path, order, sample)
                finally:
                    os._exit(0)
    finally:
        os.umask(before)
        listener.close()


def name_of(ir: bytes, environment: Mapping[str, str]) -> str:
    """Return the name of the socket for what runs on the machine of IR."""
    import hashlib

    made = hashlib.sha256(ir.partition(b'target triple = "')[2].partition(b"-")[0])
    for part in _common(environment):
        made.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return made.hexdigest()[:32]


def _common(environment: Mapping[str, str]) -> Iterator[str]:
    from isel.cli.launcher.stamps import own_settings, tool_stamps

    yield from (sys.version, sys.executable, *sys.path)
    yield from tool_stamps(environment)
    yield from own_settings(environment)
    yield from (f"{name}={environment.get(name)}" for name in _PLACES)
    yield from map(_text, ("self/limits", "self/cgroup", "sys/kernel/random/boot_id"))
    lines = _text("self/status").splitlines()
    yield from (line for line in lines if line.partition(":")[0] in _STATUS)
    yield from (os.readlink(f"/proc/self/ns/{x}") for x in sorted(os.listdir("/proc/self/ns")))
    root = os.stat("/")
    yield from (str(root.st_dev), str(root.st_ino), str(os.nice(0)))


def _text(name: str) -> str:
    with open(f"/proc/{name}", encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def _serve(listener: int, path: str, order: Values, sample: bytes) -> NoReturn:
    """Answer at a socket that is bound to a path; end the process."""
    import gc
    import socket

    link = socket.socket(fileno=listener)
    with suppress(Exception):  # a child fails alike, and then the compile that asked does it
        _load(order, sample)
    with suppress(OSError):
        if name_of(sample, os.environ) == os.path.basename(path):  # no file of the tool has changed
            gc.freeze()
            _answer(link)
    with suppress(OSError):
        os.unlink(path)
    link.close()
    with suppress(ChildProcessError):
        while os.wait():
            pass
    os._exit(0)


def _let_go(listener: int, mask: set[int]) -> int:
    """Keep nothing of the build open, and end by what ends a process; return the listener."""
    kept = fcntl.fcntl(listener, fcntl.F_DUPFD_CLOEXEC, 3)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))
    os.chdir("/")
    with open("/proc/self/comm", "w", encoding="ascii") as name:
        name.write("isel-server")
    for number in children.ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return kept


def _load(order: Values, sample: bytes) -> None:
    """Import and make what a rewrite needs, by rewriting a sample for a version and a level."""
    import isel.cli.launcher.quick  # noqa: F401
    from isel.cli.launcher.order import Order
    from isel.cli.launcher.rewriter import decide

    _, _, _, version, level, *_ = order
    decide(Order("", "", "", int(version), int(level), ""), sample.decode(), "off")


def _sample(ir: str | int) -> bytes:
    """Return a sample for the machine of a module: the text of the module is gone with its file."""
    import re

    with open(ir, encoding="utf-8", errors="replace") as file:
        text = file.read()
    target = "".join(re.findall(r"^target .*\n", text, re.MULTILINE))
    machine = " ".join(dict.fromkeys(re.findall(r'"target-(?:cpu|features)"="[^"]*"', text)))
    return f"{target}{_SAMPLE}attributes #0 = {{ {machine} }}\n".encode()


def _answer(listener: socket.socket) -> None:
    """Have a child answer each who asks; raises :class:`TimeoutError` when nobody does any more."""
    import resource

    from isel.forks import fork

    listener.settimeout(limits.SERVER_IDLE)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for children
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < limits.SERVER_MEMORY:
        link, _ = listener.accept()
        with link:
            if is_own(link) and not fork():
                try:
                    listener.close()
                    _do(link)
                finally:
                    os._exit(0)


def _do(link: socket.socket) -> None:
    """Do what is asked for in this process; what fails is done again by who asked."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    link.settimeout(limits.SERVER_ANSWER)
    with link.makefile("rb") as file:
        folder, environment, order, answer, said, seen = marshal.load(file)
    os.chdir(folder)
    status = os.stat(order[0])
    if (status.st_dev, status.st_ino) != seen:
        return
    link.sendall(_TAKEN)
    # The kernel is to end this process, wherever it is, when who asked is gone.
    fcntl.fcntl(link, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(link, fcntl.F_SETFL, fcntl.fcntl(link, fcntl.F_GETFL) | os.O_ASYNC)
    link.setblocking(False)
    with suppress(BlockingIOError):
        if not link.recv(1):  # it was gone before the kernel was told
            return
    os.environ.clear()
    os.environ.update(environment)
    out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for number in (1, 2):
        os.dup2(out, number)
    carry_out(order, answer)
    link.sendall(f"{round(1000 * sum(os.times()[:4]))}\n".encode())
