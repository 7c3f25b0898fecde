; WANT: bad, unknown: may be undefined behaviour
target triple = "x86_64-pc-linux-gnu"

define i32 @src(ptr %a, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = load i32, ptr %a, align 4
  %k = mul i32 %x, 2
  %r = call i32 @f(i32 %k)
  %t = call i32 @f(i32 7)
  %y = load i32, ptr %a, align 4
  %m = call noundef i32 @llvm.abs.i32(i32 %r, i1 true)
  %s = add i32 %m, %t
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %s
}

define i32 @tgt(ptr %a, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = load i32, ptr %a, align 4
  %k = mul i32 %x, 2
  %r = call i32 @f(i32 %k)
  %m = call noundef i32 @llvm.abs.i32(i32 %r, i1 true)
  %t = call i32 @f(i32 7)
  %y = load i32, ptr %a, align 4
  %s = add i32 %m, %t
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 %s
}

declare i32 @f(i32)
declare i32 @llvm.abs.i32(i32, i1)
