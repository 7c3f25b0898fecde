"""A module with something of everything that the parser may meet."""

from __future__ import annotations

SINK = r"""
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i32, <4 x i8> }
@g = global [4 x i32] zeroinitializer
@"odd name" = external global i8

define range(i32 0, 9) i32 @many(ptr noundef readonly align 16 captures(none) %p, i32 noundef %n, <4 x float> %fv, ptr %fp) #0 personality ptr @pers {
entry:
  %"quoted name" = alloca [4 x i32], i32 2, align 16
  %m = alloca i8, align 1
  switch i32 %n, label %other [
    i32 1, label %one
    i32 -5, label %"block two"
  ]

one:                                              ; preds = %entry
  %fa = fadd nnan contract <4 x float> %fv, <float 1.000000e+00, float 0x7FF8000000000000, float -0.000000e+00, float poison>
  %fc = fcmp ogt <4 x float> %fa, zeroinitializer
  %fs = select <4 x i1> %fc, <4 x float> %fa, <4 x float> splat (float 2.000000e+00)
  %fi = fptosi <4 x float> %fs to <4 x i32>
  %at = atomicrmw add ptr %p, i32 1 seq_cst, align 4
  %cx = cmpxchg ptr %p, i32 0, i32 %at acq_rel monotonic, align 4
  %cv = extractvalue { i32, i1 } %cx, 1
  fence seq_cst
  %as = call i32 asm sideeffect "nop; # %ignored", "=r,0,~{memory}"(i32 %n) #1
  %ic = call i32 %fp(i32 %as, ptr byval(%pair) align 8 %p)
  %vl = load volatile i32, ptr @g, align 4
  %al = load atomic i32, ptr getelementptr inbounds ([4 x i32], ptr @g, i64 0, i64 1) acquire, align 4
  call void (i32, ...) @varargs(i32 1, double 2.500000e+00, ptr null)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  br label %other

"block two":                                      ; preds = %entry
  %iv = invoke fastcc noundef i32 @mayfail(i32 signext %n) #1
          to label %other unwind label %pad

pad:                                              ; preds = %"block two"
  %lp = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  %l2 = insertvalue { ptr, i32 } %lp, i32 7, 1
  resume { ptr, i32 } %l2

other:                                            ; preds = %"block two", %one, %entry
  %ph = phi i32 [ 0, %entry ], [ %al, %one ], [ %iv, %"block two" ]
  %va = va_arg ptr %p, i32
  store i32 %ph, ptr %"quoted name", align 4, !tbaa !2, !nontemporal !5
  ret i32 %va
}

declare void @varargs(i32, ...)
declare fastcc i32 @mayfail(i32)
declare i32 @pers(...)
declare void @llvm.assume(i1)

define <vscale x 4 x i32> @scalable(<vscale x 4 x i32> %a) {
  %b = add <vscale x 4 x i32> %a, splat (i32 1)
  %c = icmp eq <vscale x 4 x i32> %a, %b
  %d = select <vscale x 4 x i1> %c, <vscale x 4 x i32> %a, <vscale x 4 x i32> %b
  ret <vscale x 4 x i32> %d
}

attributes #0 = { nounwind uwtable(sync) memory(argmem: read) "target-cpu"="haswell" "plain-flag" "target-features"="+avx2,+fma" }
attributes #1 = { nounwind }

!2 = !{!3, !3, i64 0}
!3 = !{!"int", !4}
!4 = !{!"root"}
!5 = !{i32 1}
"""
