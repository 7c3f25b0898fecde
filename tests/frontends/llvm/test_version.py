"""Which LLVM is linked."""

from __future__ import annotations

import llvmlite.binding

from frontends.llvm.linked import version


def test_is_what_llvmlite_says() -> None:
    asked = ".".join(str(part) for part in llvmlite.binding.llvm_version_info)
    assert version.llvm_version() == asked
