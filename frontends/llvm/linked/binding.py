"""The only module that imports llvmlite: text in, text out, a fresh context for every parse.

LLVM ends the process on code that it cannot select.  Everything here that generates code belongs in
a :class:`frontends.llvm.linked.worker.LlvmWorker`, unless the caller knows that the code can be
selected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from threading import get_ident
from typing import Final, TypeVar

import llvmlite.binding as llvm

from frontends.llvm.linked.version import llvm_version as llvm_version
from isel.errors import BadModule, UnknownName

T = TypeVar("T")
ModuleRef: Final = llvm.ModuleRef  # what a caller of the API may give
_STATIC: Final = ("hexagon",)  # of what clang's driver does not ask for PIC by itself
_DEFINED: Final = re.compile(r"^(?:define .*?)?@((?:auto)?llvm\.[-\w$.]+)", re.MULTILINE)
_PLACE: Final = re.compile(r"^<string>:(\d+):(\d+): error: (.*)$", re.MULTILINE)


@cache
def _initialise() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_target()
    llvm.initialize_native_asmparser()
    # one way to write AArch64, which every assembler reads: Apple's other is for its own triples
    llvm.set_option("isel", "-aarch64-neon-syntax=generic")


def between_calls(job: Callable[[], T]) -> T:
    """Return what a job, which must not raise, returns while no other thread is in LLVM, whose lock
    a fork copies.
    """
    caller, todo, found = get_ident(), [job], list[T]()

    def lock() -> None:
        if todo and get_ident() == caller:
            found.append(todo.pop()())

    hooks = lock, bool
    llvm.ffi.register_lock_callback(*hooks)
    host_triple()
    llvm.ffi.unregister_lock_callback(*hooks)
    return found[0]


def host_triple() -> str:
    """Return the triple of this process."""
    return str(llvm.get_process_triple())


def host_cpu() -> str:
    """Return LLVM's name for the host CPU; it may be of another model with the same features."""
    return str(llvm.get_host_cpu_name())


def host_features() -> frozenset[str]:
    """Return the LLVM names of the features that the host CPU and its operating system support."""
    return frozenset(str(name) for name, present in llvm.get_host_cpu_features().items() if present)


def host_feature_string() -> str:
    """Return the host's features as LLVM writes them, ``+avx2,-avx512f,…``, sorted."""
    return str(llvm.get_host_cpu_features().flatten())


def _parse_error(report: str, text: str, file: str) -> BadModule:
    found = _PLACE.search(report)
    if found is None:
        return BadModule(file, 0, 0, _first_line(report))
    line = int(found[1])
    rows = text.split("\n")
    return BadModule(
        file, line, int(found[2]), found[3], rows[line - 1] if line <= len(rows) else ""
    )


def _first_line(report: str) -> str:
    lines = [line.strip() for line in report.splitlines() if line.strip()]
    lines = lines or ["LLVM gives no reason"]
    return lines[-1] if lines[0].endswith("parsing error") else lines[0]


def _verify_error(report: str, text: str, file: str) -> BadModule:
    lines = report.splitlines()
    what = lines[0] if lines else "the module does not verify"
    rows = text.split("\n")
    for culprit in (line.strip() for line in lines[1:] if line.strip()):
        places = [i for i, row in enumerate(rows) if row.strip() == culprit]
        if len(places) == 1:
            row = rows[places[0]]
            return BadModule(file, places[0] + 1, len(row) - len(row.lstrip()) + 1, what, row)
    detail = f" ({lines[1].strip()})" if len(lines) > 1 and lines[1].strip() else ""
    return BadModule(file, 0, 0, what + detail)


def _not_text(text: str, file: str) -> BadModule | None:
    place = text.find("\0")
    if place < 0:
        try:
            text.encode()
        except UnicodeEncodeError as problem:
            place = problem.start
    if place < 0:
        return None
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    return BadModule(
        file,
        text.count("\n", 0, place) + 1,
        column,
        "a byte that is not text, expected LLVM IR text or bitcode",
    )


def _module(text: str, file: str = "<stdin>") -> llvm.ModuleRef:
    _initialise()
    problem = _not_text(text, file)
    if problem is not None:
        raise problem
    try:
        module = llvm.parse_assembly(text, context=llvm.create_context())
    except RuntimeError as error:
        raise _parse_error(str(error), text, file) from None
    try:
        module.verify()
    except RuntimeError as error:
        module.close()  # the traceback keeps it, and a garbage collector may end its context first
        raise _verify_error(str(error), text, file) from None
    return module


def normalise(text: str, file: str = "<stdin>") -> str:
    """Return the module as LLVM prints it, after verification; a fixpoint.

    Raises :class:`isel.errors.BadModule` with the place of the mistake, and where a module itself
    defines an intrinsic that it calls, LLVM's or AutoLLVM's.
    """
    module = _module(text, file)
    module.name = _show(file)
    found = str(module)
    for name in _DEFINED.findall(found):  # LLVM lets an alias be called as an intrinsic is
        if f"@{name}(" in found:
            raise BadModule(file, 0, 0, f"'@{name}' is defined, expected a declaration at most")
    return found.replace('source_filename = "<string>"', f'source_filename = "{_quote(file)}"', 1)


def _show(name: str) -> str:
    """Return a file's name as text: bytes of it that are none cannot be told to LLVM."""
    return name.encode(errors="surrogateescape").decode(errors="replace")


def _quote(name: str) -> str:
    return "".join(
        c
        if c.isprintable() and c.isascii() and c not in '"\\'
        else "".join(f"\\{b:02X}" for b in c.encode(errors="surrogateescape"))
        for c in name
    )


def bitcode_to_text(data: bytes, file: str) -> str:
    """Return the text of a bitcode module, verified; raises :class:`isel.errors.BadModule`."""
    _initialise()
    try:
        module = llvm.parse_bitcode(data, context=llvm.create_context())
        module.verify()
    except RuntimeError as error:
        raise BadModule(file, 0, 0, _first_line(str(error))) from None
    module.name = _show(file)
    return str(module)


def module_of(text: str, old: object) -> llvm.ModuleRef:
    """Return a module of llvmlite's own, by the name of another, in LLVM's global context."""
    assert isinstance(old, llvm.ModuleRef)
    module = llvm.parse_assembly(text)
    module.name = old.name
    return module


def text_to_bitcode(text: str, file: str = "<stdin>") -> bytes:
    """Return the module as bitcode; raises :class:`isel.errors.BadModule`."""
    return bytes(_module(text, file).as_bitcode())


def _target(triple: str) -> llvm.Target:
    _initialise()
    try:
        return llvm.Target.from_triple(triple)
    except RuntimeError:
        raise UnknownName("target triple", triple) from None


def known_triple(triple: str) -> bool:
    """Tell whether the linked LLVM has a back end for the triple."""
    try:
        _target(triple)
    except UnknownName:
        return False
    return True


def _machine(
    triple: str, cpu: str, features: str, level: int, jit: bool = False
) -> llvm.TargetMachine:
    return _target(triple).create_target_machine(
        cpu=cpu,
        features=features,
        opt=level,
        reloc="static" if triple.partition("-")[0] in _STATIC else "pic",
        codemodel="default",
        jit=jit,
    )


def describe_target(triple: str) -> None:
    """Make LLVM write its list of CPUs and features to file descriptor 2; it does so once a
    process.
    """
    _target(triple).create_target_machine(cpu="help", codemodel="default")


def _for_machine(text: str, triple: str, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    module = _module(text)
    if module.triple != triple or not module.data_layout:
        module.triple = triple
        module.data_layout = str(machine.target_data)
    return module


def _triple_of(text: str, triple: str) -> str:
    if triple:
        return triple
    found = re.search(r'^target triple = "([^"]*)"', text, re.MULTILINE)
    return found[1] if found and found[1] else host_triple()


def _run_pipeline(module: llvm.ModuleRef, machine: llvm.TargetMachine, level: int) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = level >= 2
    options.slp_vectorization = level >= 2
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def optimise(text: str, *, triple: str, cpu: str, features: str, level: int = 3) -> str:
    """Return the module after LLVM's default pipeline, vectorisers on as clang has them;
    ``triple`` empty is the module's.
    """
    triple = _triple_of(text, triple)
    machine = _machine(triple, cpu, features, level)
    module = _for_machine(text, triple, machine)
    _run_pipeline(module, machine, level)
    return str(module)


def tidy(text: str, file: str = "<stdin>") -> str:
    """Return the module after LLVM's simplifications of single instructions, dead code and
    empty blocks, for no target in particular.
    """
    module = _module(text, file)
    triple = str(module.triple) or host_triple()
    machine = _machine(triple, "", "", 2)
    passes = llvm.create_new_module_pass_manager()
    passes.add_instruction_combine_pass()
    passes.add_aggressive_dce_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    module.name = _show(file)
    return str(module)


def promote(text: str) -> str:
    """Return the module with functions inlined that ask for it, variables in values and small
    choices as ``select``, and nothing else simplified.
    """
    module = _module(text)
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    machine = _machine(str(module.triple), "", "", 1)
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return str(module)


def constant_offsets(
    layout: str, types: Sequence[str], steps: Sequence[tuple[str, str, str]]
) -> list[int | None]:
    """Return the bytes that getelementptr adds to a pointer, as LLVM folds them; None where it does
    not, and for pointers of more than 64 bits.

    ``types`` are lines that define named types, a step is a type, an address space
    (`` addrspace(1)`` or nothing) and indices with commas in front.  Numbers are signed, of the
    size of a pointer.
    """
    lines = [f'target datalayout = "{layout}"', *types]
    spaces = sorted({space for _, space, _ in steps})
    widest = [
        f"define i256 @s{k}() {{\n  %r = ptrtoint ptr{x} inttoptr (i256 -1 to ptr{x}) to i256\n  "
        f"ret i256 %r\n}}"
        for k, x in enumerate(spaces)
    ]
    ones = _read_result("\n".join([*lines, *widest]), "s", len(spaces))
    bits = [(ones[spaces.index(x)] or 1 << 64).bit_length() for _, x, _ in steps]  # of a pointer
    for k, (kind, space, indices) in enumerate(steps):
        if bits[k] <= 64:  # LLVM ends the process where an offset is wider
            lines.append(
                f"define i64 @f{k}() {{\n  %p = getelementptr {kind}, ptr{space} null{indices}"
            )
            lines.append(f"  %r = ptrtoint ptr{space} %p to i64\n  ret i64 %r\n}}")
    values = _read_result("\n".join(lines), "f", len(steps))
    return [
        None if v is None else (v & ((1 << n) - 1)) - ((v >> (n - 1) & 1) << n)
        for v, n in zip(values, bits, strict=True)
    ]


def _read_result(text: str, name: str, count: int) -> list[int | None]:
    """Return what functions of that name and a number return where it folds to a number."""
    folded = tidy(f"{text}\n")
    found = (
        re.search(rf"@{name}{k}\(\)[^{{]*{{[^}}]*ret i\d+ (-?\d+)", folded) for k in range(count)
    )
    return [int(m[1]) if m is not None else None for m in found]


def data_layout(triple: str) -> str:
    """Return the data layout that LLVM gives modules of a triple; raises
    :class:`isel.errors.UnknownName`.
    """
    return str(_machine(triple, "", "", 2).target_data)


def object_code(text: str, *, triple: str, cpu: str, features: str, level: int = 3) -> bytes:
    """Return the module as it stands as an object file."""
    triple = _triple_of(text, triple)
    machine = _machine(triple, cpu, features, level)
    return bytes(machine.emit_object(_for_machine(text, triple, machine)))


def assembly(
    text: str, *, triple: str, cpu: str, features: str, level: int = 3, verbose: bool = False
) -> str:
    """Return the assembly of the module as it stands; ``verbose`` adds LLVM's comments about
    loops and blocks.
    """
    triple = _triple_of(text, triple)
    machine = _machine(triple, cpu, features, level)
    machine.set_asm_verbosity(verbose)
    return str(machine.emit_assembly(_for_machine(text, triple, machine)))


class NativeModule:
    """A module compiled into this process, by default as it stands, with object files that it
    calls; its code lives as long as the object.

    What neither defines is looked up in the process.
    """

    def __init__(
        self,
        text: str,
        objects: Sequence[bytes] = (),
        *,
        cpu: str = "",
        features: str = "",
        level: int = 2,
        pipeline: bool = False,
    ) -> None:
        cpu, features = (cpu, features) if cpu else (host_cpu(), host_feature_string())
        machine = _machine(host_triple(), cpu, features, level, jit=True)
        module = _for_machine(text, host_triple(), machine)
        if pipeline:
            _run_pipeline(module, machine, level)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        for data in objects:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()

    def address(self, function: str) -> int:
        """Return the address of a function; raises :class:`isel.errors.UnknownName`."""
        found = int(self._engine.get_function_address(function))
        if not found:
            raise UnknownName("function", function)
        return found
