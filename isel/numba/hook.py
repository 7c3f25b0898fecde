"""The hook in numba 0.68: behind its last optimisation of a module, and in the keys of its cache.

It is in place once this file is imported, and does nothing until settings hold.
"""

from __future__ import annotations

import threading
from typing import ClassVar, Final

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

import isel
from isel.numba.settings import MARK, Settings, say


class Hook(threading.local):
    """Which settings hold: those of the function that a thread compiles, or of all functions.

    Numba compiles in one thread at a time; settings of all functions change between two
    compilations.
    """

    one: Settings | None = None  # of what this thread compiles
    every: ClassVar[Settings | None] = None

    def rewrite_all(self, settings: Settings | None) -> None:
        """Rewrite all functions by these settings from now on, or none."""
        with global_compiler_lock:
            type(self).every = settings

    @property
    def settings(self) -> Settings | None:
        """What holds for what this thread compiles."""
        return self.one or self.every

    def rewrite(self, library: JITCodeLibrary) -> None:
        """Rewrite the final module of a library by the settings that hold.

        Callers link what numba alone made of it: their own loops are vectorised after that.
        """
        settings, alone = self.settings, library._final_module
        if settings is None or not _has_vectors(library):
            return
        try:
            _rewrite(library, settings)
        except Exception as error:  # whatever it is, numba's own module is right
            say(f"numba compiles {library.name} alone: {type(error).__name__}: {error}")
        if library._final_module is not alone:
            library._shared_module = alone
            _link_often(library)


def _has_vectors(library: JITCodeLibrary) -> bool:
    """Tell whether a final module computes any, before the engine is loaded to look at it."""
    blocks = (b for f in library._final_module.functions for b in f.blocks)
    return any(i.type.is_vector for b in blocks for i in b.instructions)


def _rewrite(library: JITCodeLibrary, settings: Settings) -> None:
    """Replace a library's final module by what isel makes of it, if that is another one."""
    codegen, alone = library.codegen, library._final_module
    cpu = codegen._get_host_cpu_name()
    if settings.cpu not in ("host", cpu):
        raise ValueError(f"code is for {cpu}, not {settings.cpu} (NUMBA_CPU_NAME says for which)")
    result = isel.optimize(
        alone,
        cpu=cpu,
        features=codegen._tm_features,
        effort=settings.effort,
        time_limit=settings.time_limit,
    )
    if settings.watch is not None:
        settings.watch(library.name, result)
    if result.module is not alone:
        result.module.verify()
        result.module.name = alone.name
        library._final_module = result.module


def _link_often(library: JITCodeLibrary) -> None:
    """Let what callers link be there many times, as numba's ``_get_module_for_linking`` does."""
    for function in library._shared_module.functions:
        if not function.is_declaration and function.linkage.name == "external":
            function.linkage = "linkonce_odr"


def _install(hook: Hook) -> Hook:
    """Put a hook into numba's classes of code for this process."""
    optimize, describe = JITCodeLibrary._optimize_final_module, JITCPUCodegen.magic_tuple
    compile_one = Dispatcher.compile

    def _optimize_final_module(self: JITCodeLibrary) -> None:
        optimize(self)
        hook.rewrite(self)

    def magic_tuple(self: JITCPUCodegen) -> tuple[object, ...]:
        key: tuple[object, ...] = describe(self)
        return (*key, hook.settings.key) if hook.settings else key

    def compile_by(self: Dispatcher, sig: object) -> object:
        before, hook.one = hook.one, getattr(self, MARK, None)
        try:
            return compile_one(self, sig)
        finally:
            hook.one = before

    JITCodeLibrary._optimize_final_module = _optimize_final_module
    JITCPUCodegen.magic_tuple, Dispatcher.compile = magic_tuple, compile_by
    return hook


HOOK: Final = _install(Hook())
