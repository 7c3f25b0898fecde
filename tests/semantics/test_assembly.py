"""Assembly files into functions, blocks and loops."""

from __future__ import annotations

from dataclasses import replace

from frontends.llvm.linked.worker import LlvmWorker
from semantics.assembly import instructions_of, read_functions
from semantics.x86.asm import DIALECT

NESTED = """\
	.globl	f
	.type	f,@function
f:                                      # @f
	.cfi_startproc
# %bb.0:
	xorl	%eax, %eax
	.p2align	4
.LBB0_1:                                # =>This Loop Header: Depth=1
	xorl	%ecx, %ecx
.LBB0_2:                                #   Parent Loop BB0_1 Depth=1
	vmovdqu	(%rdi,%rcx), %ymm0
	addq	$32, %rcx
	cmpq	%rsi, %rcx
	jb	.LBB0_2
# %bb.3:
	incq	%rax
	cmpq	%rdx, %rax
	jb	.LBB0_1
# %bb.4:
	vzeroupper
	retq
.Lfunc_end0:
	.size	f, .Lfunc_end0-f
	.type	"a b",@function
"a b":
	callq	g@PLT
	retq
.Lfunc_end1:
	.type	table,@object
table:
	.long	1
"""


def test_blocks_and_loops() -> None:
    functions = read_functions(NESTED, DIALECT)
    assert list(functions) == ["f", "a b"]
    blocks = functions["f"].blocks
    assert [b.depth for b in blocks] == [0, 1, 2, 1, 0]
    assert [b.repeats for b in blocks] == [False, False, True, False, False]
    assert [len(b.operations) for b in blocks] == [1, 1, 4, 3, 1]
    assert [o.form for b in functions["a b"].blocks for o in b.operations] == ["callq g@PLT"]


def test_a_function_may_be_called_like_a_label() -> None:
    """Of names with an L in front, only those with a point before it are local in ELF."""
    text = NESTED.replace("\tf,@", "\tLBB0,@").replace("\nf:", "\nLBB0:")
    assert list(read_functions(text, DIALECT)) == ["LBB0", "a b"]


def test_what_llvm_prints() -> None:
    module = """
define void @sum(ptr %a, ptr %o, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %p = getelementptr <8 x i32>, ptr %a, i64 %i
  %v = load <8 x i32>, ptr %p, align 4
  %w = mul <8 x i32> %v, %v
  %q = getelementptr <8 x i32>, ptr %o, i64 %i
  store <8 x i32> %w, ptr %q, align 4
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
"""
    with LlvmWorker() as worker:
        text = worker.assembly(module, triple="x86_64-pc-linux-gnu", cpu="haswell", features="")
    assert isinstance(text, str)
    loops = [b for b in read_functions(text, DIALECT)["sum"].blocks if b.depth]
    assert len(loops) == 1 and loops[0].repeats
    assert any(o.form == "vpmulld ymm,ymm,ymm" for o in loops[0].operations)


MACHO = """\
	.section	__TEXT,__text,regular,pure_instructions
	.section	__TEXT,__literal16,16byte_literals
	.p2align	4, 0x0
_table:
	.byte	255
	.section	__TEXT,__text,regular,pure_instructions
	.globl	_f
	.p2align	4
_f:
	incq	%rax
LBB0_1:
	incq	%rax
	jne	LBB0_1
	retq

	.p2align	4
_g:
	retq

.subsections_via_symbols
"""


def test_mach_o_declares_no_functions() -> None:
    functions = read_functions(MACHO, DIALECT)
    assert list(functions) == ["f", "g"]
    assert [(b.depth, len(b.operations)) for b in functions["f"].blocks] == [(0, 1), (1, 2)]
    assert instructions_of(MACHO, "f", DIALECT) == [
        "incq %rax", "incq %rax", "jne LBB0_1", "retq"
    ]  # fmt: skip
    assert functions["g"].blocks == ()


def test_a_comment_is_what_the_dialect_says() -> None:
    text = NESTED.replace("xorl\t%eax, %eax", "mov w8, #1 // = 0x1").replace("# ", "// ")
    slashes = replace(DIALECT, comment="//")
    assert instructions_of(text, "f", slashes)[0] == "mov w8, #1"
    assert [b.depth for b in read_functions(text, slashes)["f"].blocks] == [0, 1, 2, 1, 0]


def test_labels_that_no_branch_goes_to_are_no_blocks() -> None:
    """Debug information and tables of exceptions mark places in the middle of a block."""
    marked = NESTED
    for n, line in enumerate(
        ("	addq	$32, %rcx", "	incq	%rax", "	cmpq	%rdx, %rax")
    ):
        marked = marked.replace(line, f"{line}\n.Ltmp{n}:\n	.loc	1 2 3")
    marked = marked.replace(".LBB0_2:  ", ".LBB0_2:\n.Ltmp7:  ").replace(
        "# %bb.3:", ".Ltmp8:\n# %bb.3:"
    )
    assert marked.count("Ltmp") == 5
    assert read_functions(marked, DIALECT) == read_functions(NESTED, DIALECT)
    assert instructions_of(marked, "f", DIALECT) == instructions_of(NESTED, "f", DIALECT)
