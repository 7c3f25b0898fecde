"""Assembly files into functions, blocks and loops."""

from __future__ import annotations

from frontends.llvm.asm import read_functions
from frontends.llvm.worker import LlvmWorker
from semantics.x86.asm import read_line

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
    functions = read_functions(NESTED, read_line)
    assert list(functions) == ["f", "a b"]
    blocks = functions["f"].blocks
    assert [b.depth for b in blocks] == [0, 1, 2, 1, 0]
    assert [b.repeats for b in blocks] == [False, False, True, False, False]
    assert [len(b.operations) for b in blocks] == [1, 1, 4, 3, 1]
    assert [o.form for b in functions["a b"].blocks for o in b.operations] == ["callq g@PLT"]


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
    loops = [b for b in read_functions(text, read_line)["sum"].blocks if b.depth]
    assert len(loops) == 1 and loops[0].repeats
    assert any(o.form == "vpmulld ymm,ymm,ymm" for o in loops[0].operations)
