target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @halve(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, i32 noundef %2) #0
declare void @lat4(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @syn8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @lat8w(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @biq1(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @biq4(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @biqt(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @pole8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
define void @side8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) local_unnamed_addr #0 {
  %5 = icmp sgt i32 %2, 0
  br i1 %5, label %6, label %122
6:                                                ; preds = %4
  %7 = zext nneg i32 %2 to i64
  %8 = getelementptr inbounds i8, ptr %0, i64 2
  %9 = getelementptr inbounds i8, ptr %1, i64 2
  %10 = getelementptr inbounds i8, ptr %0, i64 4
  %11 = getelementptr inbounds i8, ptr %1, i64 4
  %12 = getelementptr inbounds i8, ptr %0, i64 6
  %13 = getelementptr inbounds i8, ptr %1, i64 6
  %14 = getelementptr inbounds i8, ptr %0, i64 8
  %15 = getelementptr inbounds i8, ptr %1, i64 8
  %16 = getelementptr inbounds i8, ptr %0, i64 10
  %17 = getelementptr inbounds i8, ptr %1, i64 10
  %18 = getelementptr inbounds i8, ptr %0, i64 12
  %19 = getelementptr inbounds i8, ptr %1, i64 12
  %20 = getelementptr inbounds i8, ptr %0, i64 14
  %21 = getelementptr inbounds i8, ptr %1, i64 14
  br label %22
22:                                               ; preds = %6, %22
  %23 = phi i64 [ 0, %6 ], [ %120, %22 ]
  %24 = getelementptr inbounds i16, ptr %3, i64 %23
  %25 = load i16, ptr %0, align 2
  %26 = load i16, ptr %1, align 2
  %27 = load i16, ptr %24, align 2
  %28 = sub i16 %27, %25
  %29 = sext i16 %26 to i32
  %30 = sext i16 %28 to i32
  %31 = mul nsw i32 %30, %29
  %32 = add nsw i32 %31, 16384
  %33 = lshr i32 %32, 15
  %34 = trunc i32 %33 to i16
  %35 = add i16 %25, %34
  store i16 %35, ptr %0, align 2
  %36 = load i16, ptr %8, align 2
  %37 = load i16, ptr %9, align 2
  %38 = load i16, ptr %24, align 2
  %39 = sub i16 %38, %36
  %40 = sext i16 %37 to i32
  %41 = sext i16 %39 to i32
  %42 = mul nsw i32 %41, %40
  %43 = add nsw i32 %42, 16384
  %44 = lshr i32 %43, 15
  %45 = trunc i32 %44 to i16
  %46 = add i16 %36, %45
  store i16 %46, ptr %8, align 2
  %47 = add i16 %46, %35
  %48 = load i16, ptr %10, align 2
  %49 = load i16, ptr %11, align 2
  %50 = load i16, ptr %24, align 2
  %51 = sub i16 %50, %48
  %52 = sext i16 %49 to i32
  %53 = sext i16 %51 to i32
  %54 = mul nsw i32 %53, %52
  %55 = add nsw i32 %54, 16384
  %56 = lshr i32 %55, 15
  %57 = trunc i32 %56 to i16
  %58 = add i16 %48, %57
  store i16 %58, ptr %10, align 2
  %59 = add i16 %58, %47
  %60 = load i16, ptr %12, align 2
  %61 = load i16, ptr %13, align 2
  %62 = load i16, ptr %24, align 2
  %63 = sub i16 %62, %60
  %64 = sext i16 %61 to i32
  %65 = sext i16 %63 to i32
  %66 = mul nsw i32 %65, %64
  %67 = add nsw i32 %66, 16384
  %68 = lshr i32 %67, 15
  %69 = trunc i32 %68 to i16
  %70 = add i16 %60, %69
  store i16 %70, ptr %12, align 2
  %71 = add i16 %70, %59
  %72 = load i16, ptr %14, align 2
  %73 = load i16, ptr %15, align 2
  %74 = load i16, ptr %24, align 2
  %75 = sub i16 %74, %72
  %76 = sext i16 %73 to i32
  %77 = sext i16 %75 to i32
  %78 = mul nsw i32 %77, %76
  %79 = add nsw i32 %78, 16384
  %80 = lshr i32 %79, 15
  %81 = trunc i32 %80 to i16
  %82 = add i16 %72, %81
  store i16 %82, ptr %14, align 2
  %83 = add i16 %82, %71
  %84 = load i16, ptr %16, align 2
  %85 = load i16, ptr %17, align 2
  %86 = load i16, ptr %24, align 2
  %87 = sub i16 %86, %84
  %88 = sext i16 %85 to i32
  %89 = sext i16 %87 to i32
  %90 = mul nsw i32 %89, %88
  %91 = add nsw i32 %90, 16384
  %92 = lshr i32 %91, 15
  %93 = trunc i32 %92 to i16
  %94 = add i16 %84, %93
  store i16 %94, ptr %16, align 2
  %95 = add i16 %94, %83
  %96 = load i16, ptr %18, align 2
  %97 = load i16, ptr %19, align 2
  %98 = load i16, ptr %24, align 2
  %99 = sub i16 %98, %96
  %100 = sext i16 %97 to i32
  %101 = sext i16 %99 to i32
  %102 = mul nsw i32 %101, %100
  %103 = add nsw i32 %102, 16384
  %104 = lshr i32 %103, 15
  %105 = trunc i32 %104 to i16
  %106 = add i16 %96, %105
  store i16 %106, ptr %18, align 2
  %107 = add i16 %106, %95
  %108 = load i16, ptr %20, align 2
  %109 = load i16, ptr %21, align 2
  %110 = load i16, ptr %24, align 2
  %111 = sub i16 %110, %108
  %112 = sext i16 %109 to i32
  %113 = sext i16 %111 to i32
  %114 = mul nsw i32 %113, %112
  %115 = add nsw i32 %114, 16384
  %116 = lshr i32 %115, 15
  %117 = trunc i32 %116 to i16
  %118 = add i16 %108, %117
  store i16 %118, ptr %20, align 2
  %119 = add i16 %118, %107
  store i16 %119, ptr %24, align 2
  %120 = add nuw nsw i64 %23, 1
  %121 = icmp eq i64 %120, %7
  br i1 %121, label %122, label %22
122:                                              ; preds = %22, %4
  ret void
}
declare void @delay8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @rdelay4(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @allp4(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @diffuse(ptr nocapture noundef %0, ptr nocapture noundef readnone %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @cabac(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @adapt8(ptr nocapture noundef %0, ptr nocapture noundef readnone %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @lms8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef readonly %3) #0
declare void @slms4(ptr nocapture noundef %0, ptr nocapture noundef readnone %1, i32 noundef %2, ptr nocapture noundef readonly %3) #0
declare void @ladder4(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @cic4(ptr nocapture noundef %0, ptr nocapture noundef readnone %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @lfsr(ptr nocapture noundef %0, ptr nocapture noundef readnone %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @arx(ptr nocapture noundef %0, ptr nocapture noundef readnone %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @env8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @energy4(ptr nocapture noundef %0, ptr nocapture noundef readnone %1, i32 noundef %2, ptr nocapture noundef readonly %3) #0
declare i32 @llvm.smin.i32(i32, i32) #1
declare i32 @llvm.fshl.i32(i32, i32, i32) #1
declare i32 @llvm.smax.i32(i32, i32) #1
declare void @llvm.memmove.p0.p0.i64(ptr nocapture writeonly, ptr nocapture readonly, i64, i1 immarg) #2
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>) #1
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>) #1
declare i64 @llvm.umax.i64(i64, i64) #1
attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sapphirerapids" "target-features"="+adx,+aes,+amx-bf16,+amx-int8,+amx-tile,+avx,+avx2,+avx512bf16,+avx512bitalg,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512fp16,+avx512ifma,+avx512vbmi,+avx512vbmi2,+avx512vl,+avx512vnni,+avx512vpopcntdq,+avxvnni,+bmi,+bmi2,+cldemote,+clflushopt,+clwb,+cmov,+crc32,+cx16,+cx8,+enqcmd,+evex512,+f16c,+fma,+fsgsbase,+fxsr,+gfni,+invpcid,+lzcnt,+mmx,+movbe,+movdir64b,+movdiri,+pclmul,+pconfig,+pku,+popcnt,+prfchw,+ptwrite,+rdpid,+rdrnd,+rdseed,+sahf,+serialize,+sgx,+sha,+shstk,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+tsxldtrk,+uintr,+vaes,+vpclmulqdq,+waitpkg,+wbnoinvd,+x87,+xsave,+xsavec,+xsaveopt,+xsaves" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
