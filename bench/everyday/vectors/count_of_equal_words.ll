; arm neoverse-v1 -sve,-sve2: how many of 8 words of two rows are equal
target triple = "aarch64-linux-gnu"

define void @src(ptr noalias %a, ptr noalias %b, ptr noalias %o) {
  %x = load <8 x i16>, ptr %a, align 2, !noundef !0
  %y = load <8 x i16>, ptr %b, align 2, !noundef !0
  %c = icmp eq <8 x i16> %x, %y
  %k = bitcast <8 x i1> %c to i8
  %n = call i8 @llvm.ctpop.i8(i8 %k)
  %r = zext i8 %n to i16
  store i16 %r, ptr %o, align 2
  ret void
}

define void @tgt(ptr noalias %a, ptr noalias %b, ptr noalias %o) {
  %x = load <8 x i16>, ptr %a, align 2, !noundef !0
  %y = load <8 x i16>, ptr %b, align 2, !noundef !0
  %c = icmp eq <8 x i16> %x, %y
  %m = sext <8 x i1> %c to <8 x i16>
  %n = sub <8 x i16> zeroinitializer, %m
  %r = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %n)
  store i16 %r, ptr %o, align 2
  ret void
}

declare i8 @llvm.ctpop.i8(i8)
declare i16 @llvm.vector.reduce.add.v8i16(<8 x i16>)

!0 = !{}
