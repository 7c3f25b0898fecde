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
  %23 = phi i64 [ 0, %6 ], [ %120, %isel.31 ]
  %24 = getelementptr inbounds i16, ptr %3, i64 %23
  %120 = add nuw nsw i64 %23, 1
  %121 = icmp eq i64 %120, %7
  %isel.0 = ptrtoint ptr %0 to i64
  %isel.1 = ptrtoint ptr %1 to i64
  %isel.2 = sub i64 %isel.1, %isel.0
  %isel.3 = add i64 %isel.2, -16
  %isel.4 = icmp ult i64 %isel.3, -31
  %isel.5 = ptrtoint ptr %3 to i64
  %isel.6 = mul i64 %23, 2
  %isel.7 = add i64 %isel.5, %isel.6
  %isel.8 = sub i64 %isel.7, %isel.0
  %isel.9 = add i64 %isel.8, -16
  %isel.10 = icmp ult i64 %isel.9, -17
  %isel.11 = and i1 %isel.4, %isel.10
  br i1 %isel.11, label %isel.12, label %isel.unlikely.13
isel.12:
  %isel.14 = load i16, ptr %24, align 2
  %isel.15 = freeze i16 %isel.14
  %isel.16 = load <8 x i16>, ptr %0, align 2
  %isel.17 = freeze <8 x i16> %isel.16
  %isel.18 = load <8 x i16>, ptr %1, align 2
  %isel.19 = freeze <8 x i16> %isel.18
  %isel.20 = insertelement <8 x i16> poison, i16 %isel.15, i64 0
  %isel.21 = shufflevector <8 x i16> %isel.20, <8 x i16> poison, <8 x i32> zeroinitializer
  %isel.127 = freeze <8 x i16> %isel.21
  %isel.128 = sub <8 x i16> %isel.127, %isel.17
  %isel.129 = call <8 x i16> @llvm.x86.ssse3.pmul.hr.sw.128(<8 x i16> %isel.128, <8 x i16> %isel.19)
  %isel.29 = add <8 x i16> %isel.129, %isel.17
  %isel.30 = tail call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %isel.29)
  store <8 x i16> %isel.29, ptr %0, align 2
  store i16 %isel.30, ptr %24, align 2
  br label %isel.31
isel.unlikely.13:
  %isel.32 = load i16, ptr %0, align 2
  %isel.33 = load i16, ptr %1, align 2
  %isel.34 = load i16, ptr %24, align 2
  %isel.35 = sub i16 %isel.34, %isel.32
  %isel.36 = sext i16 %isel.33 to i32
  %isel.37 = sext i16 %isel.35 to i32
  %isel.38 = mul nsw i32 %isel.37, %isel.36
  %isel.39 = add nsw i32 %isel.38, 16384
  %isel.40 = lshr i32 %isel.39, 15
  %isel.41 = trunc i32 %isel.40 to i16
  %isel.42 = add i16 %isel.32, %isel.41
  store i16 %isel.42, ptr %0, align 2
  %isel.43 = load i16, ptr %8, align 2
  %isel.44 = load i16, ptr %9, align 2
  %isel.45 = load i16, ptr %24, align 2
  %isel.46 = sub i16 %isel.45, %isel.43
  %isel.47 = sext i16 %isel.44 to i32
  %isel.48 = sext i16 %isel.46 to i32
  %isel.49 = mul nsw i32 %isel.48, %isel.47
  %isel.50 = add nsw i32 %isel.49, 16384
  %isel.51 = lshr i32 %isel.50, 15
  %isel.52 = trunc i32 %isel.51 to i16
  %isel.53 = add i16 %isel.43, %isel.52
  store i16 %isel.53, ptr %8, align 2
  %isel.54 = add i16 %isel.53, %isel.42
  %isel.55 = load i16, ptr %10, align 2
  %isel.56 = load i16, ptr %11, align 2
  %isel.57 = load i16, ptr %24, align 2
  %isel.58 = sub i16 %isel.57, %isel.55
  %isel.59 = sext i16 %isel.56 to i32
  %isel.60 = sext i16 %isel.58 to i32
  %isel.61 = mul nsw i32 %isel.60, %isel.59
  %isel.62 = add nsw i32 %isel.61, 16384
  %isel.63 = lshr i32 %isel.62, 15
  %isel.64 = trunc i32 %isel.63 to i16
  %isel.65 = add i16 %isel.55, %isel.64
  store i16 %isel.65, ptr %10, align 2
  %isel.66 = add i16 %isel.65, %isel.54
  %isel.67 = load i16, ptr %12, align 2
  %isel.68 = load i16, ptr %13, align 2
  %isel.69 = load i16, ptr %24, align 2
  %isel.70 = sub i16 %isel.69, %isel.67
  %isel.71 = sext i16 %isel.68 to i32
  %isel.72 = sext i16 %isel.70 to i32
  %isel.73 = mul nsw i32 %isel.72, %isel.71
  %isel.74 = add nsw i32 %isel.73, 16384
  %isel.75 = lshr i32 %isel.74, 15
  %isel.76 = trunc i32 %isel.75 to i16
  %isel.77 = add i16 %isel.67, %isel.76
  store i16 %isel.77, ptr %12, align 2
  %isel.78 = add i16 %isel.77, %isel.66
  %isel.79 = load i16, ptr %14, align 2
  %isel.80 = load i16, ptr %15, align 2
  %isel.81 = load i16, ptr %24, align 2
  %isel.82 = sub i16 %isel.81, %isel.79
  %isel.83 = sext i16 %isel.80 to i32
  %isel.84 = sext i16 %isel.82 to i32
  %isel.85 = mul nsw i32 %isel.84, %isel.83
  %isel.86 = add nsw i32 %isel.85, 16384
  %isel.87 = lshr i32 %isel.86, 15
  %isel.88 = trunc i32 %isel.87 to i16
  %isel.89 = add i16 %isel.79, %isel.88
  store i16 %isel.89, ptr %14, align 2
  %isel.90 = add i16 %isel.89, %isel.78
  %isel.91 = load i16, ptr %16, align 2
  %isel.92 = load i16, ptr %17, align 2
  %isel.93 = load i16, ptr %24, align 2
  %isel.94 = sub i16 %isel.93, %isel.91
  %isel.95 = sext i16 %isel.92 to i32
  %isel.96 = sext i16 %isel.94 to i32
  %isel.97 = mul nsw i32 %isel.96, %isel.95
  %isel.98 = add nsw i32 %isel.97, 16384
  %isel.99 = lshr i32 %isel.98, 15
  %isel.100 = trunc i32 %isel.99 to i16
  %isel.101 = add i16 %isel.91, %isel.100
  store i16 %isel.101, ptr %16, align 2
  %isel.102 = add i16 %isel.101, %isel.90
  %isel.103 = load i16, ptr %18, align 2
  %isel.104 = load i16, ptr %19, align 2
  %isel.105 = load i16, ptr %24, align 2
  %isel.106 = sub i16 %isel.105, %isel.103
  %isel.107 = sext i16 %isel.104 to i32
  %isel.108 = sext i16 %isel.106 to i32
  %isel.109 = mul nsw i32 %isel.108, %isel.107
  %isel.110 = add nsw i32 %isel.109, 16384
  %isel.111 = lshr i32 %isel.110, 15
  %isel.112 = trunc i32 %isel.111 to i16
  %isel.113 = add i16 %isel.103, %isel.112
  store i16 %isel.113, ptr %18, align 2
  %isel.114 = add i16 %isel.113, %isel.102
  %isel.115 = load i16, ptr %20, align 2
  %isel.116 = load i16, ptr %21, align 2
  %isel.117 = load i16, ptr %24, align 2
  %isel.118 = sub i16 %isel.117, %isel.115
  %isel.119 = sext i16 %isel.116 to i32
  %isel.120 = sext i16 %isel.118 to i32
  %isel.121 = mul nsw i32 %isel.120, %isel.119
  %isel.122 = add nsw i32 %isel.121, 16384
  %isel.123 = lshr i32 %isel.122, 15
  %isel.124 = trunc i32 %isel.123 to i16
  %isel.125 = add i16 %isel.115, %isel.124
  store i16 %isel.125, ptr %20, align 2
  %isel.126 = add i16 %isel.125, %isel.114
  store i16 %isel.126, ptr %24, align 2
  br label %isel.31
isel.31:
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
declare i16 @llvm.vector.reduce.add.v8i16(<8 x i16>)
declare <8 x i16> @llvm.x86.ssse3.pmul.hr.sw.128(<8 x i16>, <8 x i16>)
attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sapphirerapids" "target-features"="+adx,+aes,+amx-bf16,+amx-int8,+amx-tile,+avx,+avx2,+avx512bf16,+avx512bitalg,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512fp16,+avx512ifma,+avx512vbmi,+avx512vbmi2,+avx512vl,+avx512vnni,+avx512vpopcntdq,+avxvnni,+bmi,+bmi2,+cldemote,+clflushopt,+clwb,+cmov,+crc32,+cx16,+cx8,+enqcmd,+evex512,+f16c,+fma,+fsgsbase,+fxsr,+gfni,+invpcid,+lzcnt,+mmx,+movbe,+movdir64b,+movdiri,+pclmul,+pconfig,+pku,+popcnt,+prfchw,+ptwrite,+rdpid,+rdrnd,+rdseed,+sahf,+serialize,+sgx,+sha,+shstk,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+tsxldtrk,+uintr,+vaes,+vpclmulqdq,+waitpkg,+wbnoinvd,+x87,+xsave,+xsavec,+xsaveopt,+xsaves" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
