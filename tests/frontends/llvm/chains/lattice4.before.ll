target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare void @halve(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, i32 noundef %2) #0
define void @lat4(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) local_unnamed_addr #0 {
  %5 = icmp sgt i32 %2, 0
  br i1 %5, label %6, label %14
6:                                                ; preds = %4
  %7 = zext nneg i32 %2 to i64
  %8 = getelementptr inbounds i8, ptr %0, i64 2
  %9 = getelementptr inbounds i8, ptr %1, i64 2
  %10 = getelementptr inbounds i8, ptr %0, i64 4
  %11 = getelementptr inbounds i8, ptr %1, i64 4
  %12 = getelementptr inbounds i8, ptr %0, i64 6
  %13 = getelementptr inbounds i8, ptr %1, i64 6
  br label %15
14:                                               ; preds = %15, %4
  ret void
15:                                               ; preds = %6, %15
  %16 = phi i64 [ 0, %6 ], [ %123, %15 ]
  %17 = getelementptr inbounds i16, ptr %3, i64 %16
  %18 = load i16, ptr %17, align 2
  %19 = load i16, ptr %0, align 2
  %20 = load i16, ptr %1, align 2
  store i16 %18, ptr %0, align 2
  %21 = sext i16 %19 to i32
  %22 = sext i16 %20 to i32
  %23 = sext i16 %18 to i32
  %24 = mul nsw i32 %22, %23
  %25 = add nsw i32 %24, 16384
  %26 = lshr i32 %25, 15
  %27 = trunc i32 %26 to i16
  %28 = shl i32 %26, 16
  %29 = ashr exact i32 %28, 16
  %30 = add nsw i32 %29, %21
  %31 = icmp slt i32 %30, -32768
  %32 = icmp sgt i32 %30, 32767
  %33 = add i16 %19, %27
  %34 = select i1 %32, i16 32767, i16 %33
  %35 = select i1 %31, i16 -32768, i16 %34
  %36 = mul nsw i32 %22, %21
  %37 = add nsw i32 %36, 16384
  %38 = lshr i32 %37, 15
  %39 = trunc i32 %38 to i16
  %40 = shl i32 %38, 16
  %41 = ashr exact i32 %40, 16
  %42 = add nsw i32 %41, %23
  %43 = icmp slt i32 %42, -32768
  %44 = icmp sgt i32 %42, 32767
  %45 = add i16 %18, %39
  %46 = select i1 %44, i16 32767, i16 %45
  %47 = select i1 %43, i16 -32768, i16 %46
  %48 = load i16, ptr %8, align 2
  %49 = load i16, ptr %9, align 2
  store i16 %35, ptr %8, align 2
  %50 = sext i16 %48 to i32
  %51 = sext i16 %49 to i32
  %52 = sext i16 %47 to i32
  %53 = mul nsw i32 %51, %52
  %54 = add nsw i32 %53, 16384
  %55 = lshr i32 %54, 15
  %56 = trunc i32 %55 to i16
  %57 = shl i32 %55, 16
  %58 = ashr exact i32 %57, 16
  %59 = add nsw i32 %58, %50
  %60 = icmp slt i32 %59, -32768
  %61 = icmp sgt i32 %59, 32767
  %62 = add i16 %48, %56
  %63 = select i1 %61, i16 32767, i16 %62
  %64 = select i1 %60, i16 -32768, i16 %63
  %65 = mul nsw i32 %51, %50
  %66 = add nsw i32 %65, 16384
  %67 = lshr i32 %66, 15
  %68 = trunc i32 %67 to i16
  %69 = shl i32 %67, 16
  %70 = ashr exact i32 %69, 16
  %71 = add nsw i32 %70, %52
  %72 = icmp slt i32 %71, -32768
  %73 = icmp sgt i32 %71, 32767
  %74 = add i16 %47, %68
  %75 = select i1 %73, i16 32767, i16 %74
  %76 = select i1 %72, i16 -32768, i16 %75
  %77 = load i16, ptr %10, align 2
  %78 = load i16, ptr %11, align 2
  store i16 %64, ptr %10, align 2
  %79 = sext i16 %77 to i32
  %80 = sext i16 %78 to i32
  %81 = sext i16 %76 to i32
  %82 = mul nsw i32 %80, %81
  %83 = add nsw i32 %82, 16384
  %84 = lshr i32 %83, 15
  %85 = trunc i32 %84 to i16
  %86 = shl i32 %84, 16
  %87 = ashr exact i32 %86, 16
  %88 = add nsw i32 %87, %79
  %89 = icmp slt i32 %88, -32768
  %90 = icmp sgt i32 %88, 32767
  %91 = add i16 %77, %85
  %92 = select i1 %90, i16 32767, i16 %91
  %93 = select i1 %89, i16 -32768, i16 %92
  %94 = mul nsw i32 %80, %79
  %95 = add nsw i32 %94, 16384
  %96 = lshr i32 %95, 15
  %97 = trunc i32 %96 to i16
  %98 = shl i32 %96, 16
  %99 = ashr exact i32 %98, 16
  %100 = add nsw i32 %99, %81
  %101 = icmp slt i32 %100, -32768
  %102 = icmp sgt i32 %100, 32767
  %103 = add i16 %76, %97
  %104 = select i1 %102, i16 32767, i16 %103
  %105 = select i1 %101, i16 -32768, i16 %104
  %106 = load i16, ptr %12, align 2
  %107 = load i16, ptr %13, align 2
  store i16 %93, ptr %12, align 2
  %108 = sext i16 %106 to i32
  %109 = sext i16 %107 to i32
  %110 = sext i16 %105 to i32
  %111 = mul nsw i32 %109, %108
  %112 = add nsw i32 %111, 16384
  %113 = lshr i32 %112, 15
  %114 = trunc i32 %113 to i16
  %115 = shl i32 %113, 16
  %116 = ashr exact i32 %115, 16
  %117 = add nsw i32 %116, %110
  %118 = icmp slt i32 %117, -32768
  %119 = icmp sgt i32 %117, 32767
  %120 = add i16 %105, %114
  %121 = select i1 %119, i16 32767, i16 %120
  %122 = select i1 %118, i16 -32768, i16 %121
  store i16 %122, ptr %17, align 2
  %123 = add nuw nsw i64 %16, 1
  %124 = icmp eq i64 %123, %7
  br i1 %124, label %14, label %15
}
declare void @syn8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @lat8w(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @biq1(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @biq4(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @biqt(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @pole8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
declare void @side8(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2, ptr nocapture noundef %3) #0
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
