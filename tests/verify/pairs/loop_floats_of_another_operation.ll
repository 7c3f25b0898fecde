; WANT: bad, unknown: 'ret' was not shown
target triple = "x86_64-pc-linux-gnu"

define float @src(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %k = mul i64 %i, 2
  %p = getelementptr float, ptr %a, i64 %k
  %x = load float, ptr %p, align 4
  %m = fmul float %x, %x
  %t = fadd float %s, %m
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret float %t
}

define float @tgt(ptr %a, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %k = mul i64 %i, 2
  %p = getelementptr float, ptr %a, i64 %k
  %x = load float, ptr %p, align 4
  %m = fmul float %x, %x
  %t = fsub float %s, %m
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret float %t
}
