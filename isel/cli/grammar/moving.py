"""Commands for code of another machine or compiler: lower, port, compile."""

from __future__ import annotations

from isel.cli.grammar.flags import (
    Parser,
    add_effort,
    add_flags,
    add_input,
    add_output,
    new_parser,
)
from isel.cli.grammar.flags import target_flags as add_target_flags


def lower_parser() -> Parser:
    """Return the parser of ``isel lower``."""
    parser = new_parser(
        "isel lower",
        "Lower AutoLLVM calls to instructions of a machine, each step and the whole proved; "
        "intrinsics of another machine go by way of AutoLLVM.",
    )
    add_input(parser)
    add_output(parser, default="-")
    add_target_flags(parser)
    add_flags(
        parser,
        """
        --generic: plain IR of the formula where no member of a class is there, no search
        --assume-noundef-memory: take what is loaded to be neither undef nor poison
        --json: print what became of calls and functions as JSON, with -o for the module
        """,
    )
    add_effort(parser)
    return parser


def port_parser() -> Parser:
    """Return the parser of ``isel port``."""
    parser = new_parser(
        "isel port",
        "Compile C with the intrinsics of one machine for another one: the formulas of the "
        "intrinsics, isel opt, SIMDe's headers, and a proof that the functions do what they did.",
    )
    parser.add_argument("input", metavar="FILE.c", help="C that includes one machine's intrinsics")
    parser.add_argument(
        "--to", "-to", choices=("aarch64", "x86"), required=True, help="the machine to compile for"
    )
    add_output(parser, "OUT", "OUT.o, OUT.s or OUT.ll", default="-")
    parser.add_argument("-S", dest="text", action="store_true", help="write LLVM IR as text")
    add_flags(
        parser,
        """
        --filetype llvm|obj|asm: LLVM IR, an object or assembly
        --json: print what became of functions as JSON, with -o for the code
        --clang CLANG: the compiler (default: clang, or the newest clang-N)
        """,
    )
    parser.add_argument(
        "-p",
        dest="build",
        metavar="BUILD_DIR",
        help="folder of the compile_commands.json whose flags the file has (default: of one that "
        "the file is in)",
    )
    add_flags(
        parser,
        """
        --mcpu CPU: CPU to compile for (default: any, as armv8-a with Neon or x86-64-v2)
        --mattr FEATURES: features beside those of the CPU, as +a,-b
        --cache PATH: folder or file of the cache, or 'off'
        """,
    )
    what = "one more flag for clang, as --flag=-DX; -m... is for the source"
    parser.add_argument("--flag", action="append", metavar="FLAG", help=what)
    parser.set_defaults(llvm_version=None, flag=[], mattr="")
    return parser


def compile_parser() -> Parser:
    """Return the parser of ``isel compile``."""
    parser = new_parser(
        "isel compile",
        "Run ldc2, flang or zig as given, and make the object again of their LLVM IR where that is "
        "rewritten; what isel-cc reads of the environment holds.",
    )
    what = "the compiler and its arguments: one source, -c (zig: build-obj) and -O"
    parser.add_argument("command", metavar="-- COMPILER ARGS", nargs="*", help=what)
    return parser
