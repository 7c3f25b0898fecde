"""Build a function with llvmlite, rewrite it for this machine, compile both and run them."""

from __future__ import annotations

import ctypes

import llvmlite.binding as llvm
from llvmlite import ir

import isel

LANES = 16


def mean_rounded() -> llvm.ModuleRef:
    """Return a module that averages bytes in 16 bits, as a front end without such an operation
    does.
    """
    byte = ir.VectorType(ir.IntType(8), LANES)
    wide = ir.VectorType(ir.IntType(16), LANES)
    module = ir.Module("mean")
    module.triple = llvm.get_process_triple()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [byte.as_pointer()] * 3), "mean")
    build = ir.IRBuilder(function.append_basic_block())
    out, a, b = function.args
    x, y = (build.zext(build.load(p, align=1), wide) for p in (a, b))
    one = ir.Constant(wide, [1] * LANES)
    half = build.lshr(build.add(build.add(x, y), one), one)
    build.store(build.trunc(half, byte), out, align=1)
    build.ret_void()
    return llvm.parse_assembly(str(module))


def run(module: llvm.ModuleRef, a: bytes, b: bytes) -> bytes:
    """Compile a module and return what its function makes of two times 16 bytes."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    pointer = ctypes.c_char_p
    call = ctypes.CFUNCTYPE(None, pointer, pointer, pointer)(engine.get_function_address("mean"))
    out = ctypes.create_string_buffer(LANES)
    call(ctypes.cast(out, pointer), a, b)
    return out.raw


def main() -> None:
    """Show that both versions give the same bytes."""
    module = mean_rounded()
    done = isel.optimize(module, cpu="host", time_limit=None)
    print(done)
    print(isel.verify(module, done.module))
    a, b = bytes(range(LANES)), bytes(range(240, 256))
    print("equal" if run(done.module, a, b) == run(mean_rounded(), a, b) else "DIFFERENT")


if __name__ == "__main__":
    main()
