"""A transform on the only function of a module: its sites, and the proof of what it proposes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import count

from frontends.llvm.linked import binding
from frontends.llvm.linked.binding import normalise
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.passes.blocks import Blocks
from frontends.llvm.passes.guesses import GUESSES
from frontends.llvm.pipeline.changes import changes_of, edits_of
from frontends.llvm.refine.decide import decide
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.options import Options
from frontends.llvm.splicing.write import edit
from frontends.llvm.text.ast import Block, Function
from frontends.llvm.text.identity import contents
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.parse import parse_instruction, parse_module
from frontends.llvm.transform.site import Change, Scope, Transform
from isel.model.verdict import Proved, Verdict
from semantics import target_named
from tests.fuzz.case import Call, Case
from tests.fuzz.guarded import Code, run
from tests.verdicts import verify_function

X86 = "x86_64-unknown-linux-gnu"


def scope_of(text: str, bits: int = 128) -> Scope:
    """Return the scope of a module's only function, for registers of so many bits."""
    module = parse_module(normalise(text))
    (function,) = module.functions
    sizes = sizes_of(module.layout, module.lines)
    assert sizes is not None
    passes = partial(binding.optimise, triple=X86, cpu="x86-64-v3", features="")
    return Scope(module, function, sizes, contents(module), bits, passes)


def whys(transform: Transform, text: str, bits: int = 128) -> list[tuple[str, str]]:
    """Return the roots of sites, and why they stay."""
    return [(s.root.name, s.why_not) for s in transform.sites(scope_of(text, bits))]


def transformed(transform: Transform, text: str, bits: int = 128) -> tuple[str, Verdict]:
    """Return a module with every site changed, as LLVM prints it, and whether that was proved."""
    scope = scope_of(text, bits)
    changes = [c for _, c in changes_of(scope, transform.sites(scope)) if isinstance(c, Change)]
    edits = edits_of(scope.module, scope.function, changes)
    after = parse_module(normalise(edit(scope.module, {scope.function.name: edits})))
    frames = Frames.of(scope.module, after)
    told = GUESSES.told([x for c in changes for x in c.exchanges])
    options = Options(guesses=told, whole=False)
    found = decide(scope.function, after.functions[0], None, frames, options)
    return after.text, found.verdict


def change(transform: Transform, text: str) -> str:
    """Return a module with every site changed, which is proved."""
    after, verdict = transformed(transform, text)
    assert isinstance(verdict, Proved)
    return after


def verifies(before: str, after: str) -> bool:
    """Tell whether ``isel verify`` proves a module's only function to refine that of another."""
    modules = parse_module(normalise(before)), parse_module(normalise(after))
    (source,), (target,) = (m.functions for m in modules)
    found = verify_function(source, target, target_named("x86"), modules)
    return isinstance(found, Proved)


def do_the_same(before: str, after: str, calls: Iterable[Call]) -> bool:
    """Tell whether the function ``f`` of two modules does the same where it is called so."""
    cases = [Case("f", tuple(calls))]
    with LlvmWorker() as worker:
        one, other = (run(worker, t, cases, Code()) for t in (before, after))
    assert not isinstance(one, WorkerFailed)
    return one == other


def became(transform: Transform, text: str, calls: Iterable[Call]) -> str:
    """Tell what becomes of a module: it is left, not proved, does the same when it is called, or
    differs.
    """
    after, verdict = transformed(transform, text)
    if after == normalise(text):
        return "left"
    if not isinstance(verdict, Proved):
        return "not proved"
    return "the same" if do_the_same(text, after, calls) else "differs"


def proves(before: str, after: str) -> bool:
    """Tell whether the only function of a module is proved to refine that of another."""
    a, b = (parse_module(normalise(x)) for x in (before, after))
    both, options = (a.functions[0], b.functions[0]), Options(guesses=GUESSES, whole=False)
    return isinstance(decide(*both, None, Frames.of(a, b), options).verdict, Proved)


def with_blocks(function: Function, header: str, found: Blocks) -> Function:
    """Return a function with blocks in place of a loop."""
    at, blocks = count(), list[Block]()
    for b in function.blocks:
        plain = ((b.label, tuple(i.text.strip() for i in b.instrs)),)
        for label, lines in found.blocks if b.label == header else plain:
            texts = lines if b.label == header else (found.behind(b.label, x) for x in lines)
            blocks.append(Block(label, tuple(parse_instruction(x, next(at)) for x in texts)))
    return replace(function, blocks=tuple(blocks))
