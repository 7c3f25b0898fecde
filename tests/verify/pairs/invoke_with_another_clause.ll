; WANT: bad, unknown: was not shown to
define i32 @src(ptr noalias %p, <4 x i32> %x, i32 %k) personality ptr @who {
entry:
  %a = add <4 x i32> %x, %x
  store <4 x i32> %a, ptr %p, align 16
  %v = invoke i32 @get(i32 %k)
          to label %good unwind label %bad
good:
  %b = load <4 x i32>, ptr %p, align 16
  %c = add <4 x i32> %b, %b
  store <4 x i32> %c, ptr %p, align 16
  ret i32 %v
bad:
  %e = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  %d = add i32 %k, %k
  store i32 %d, ptr %p, align 16
  resume { ptr, i32 } %e
}
define i32 @tgt(ptr noalias %p, <4 x i32> %x, i32 %k) personality ptr @who {
entry:
  %a = shl <4 x i32> %x, splat (i32 1)
  store <4 x i32> %a, ptr %p, align 16
  %v = invoke i32 @get(i32 %k)
          to label %fine unwind label %ill
fine:
  %b = load <4 x i32>, ptr %p, align 16
  %c = shl <4 x i32> %b, splat (i32 1)
  store <4 x i32> %c, ptr %p, align 16
  ret i32 %v
ill:
  %e = landingpad { ptr, i32 }
          cleanup
  %d = shl i32 %k, 1
  store i32 %d, ptr %p, align 16
  resume { ptr, i32 } %e
}

declare i32 @get(i32)
declare i32 @who(...)
