"""What is told of a module before anything of the engine is loaded."""

from frontends.llvm.text.windowless import has_no_windows

__all__ = ("has_no_windows",)
