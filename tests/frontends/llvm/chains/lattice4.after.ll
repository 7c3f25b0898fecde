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
  %16 = phi i64 [ 0, %6 ], [ %123, %isel.115 ]
  %17 = getelementptr inbounds i16, ptr %3, i64 %16
  %123 = add nuw nsw i64 %16, 1
  %124 = icmp eq i64 %123, %7
  %isel.0 = ptrtoint ptr %0 to i64
  %isel.1 = ptrtoint ptr %1 to i64
  %isel.2 = sub i64 %isel.1, %isel.0
  %isel.3 = add i64 %isel.2, -8
  %isel.4 = icmp ult i64 %isel.3, -15
  br i1 %isel.4, label %isel.5, label %isel.unlikely.6
isel.5:
  %isel.7 = load i16, ptr %17, align 2
  %isel.8 = freeze i16 %isel.7
  %isel.9 = load i16, ptr %0, align 2
  %isel.10 = freeze i16 %isel.9
  %isel.11 = load i16, ptr %1, align 2
  %isel.12 = freeze i16 %isel.11
  %isel.13 = load i16, ptr %9, align 2
  %isel.14 = freeze i16 %isel.13
  %isel.15 = load i16, ptr %11, align 2
  %isel.16 = freeze i16 %isel.15
  %isel.17 = load i16, ptr %12, align 2
  %isel.18 = freeze i16 %isel.17
  %isel.19 = load i16, ptr %13, align 2
  %isel.20 = freeze i16 %isel.19
  %isel.21 = sext i16 %isel.10 to i32
  %isel.22 = sext i16 %isel.12 to i32
  %isel.23 = sext i16 %isel.8 to i32
  %isel.24 = mul nsw i32 %isel.22, %isel.23
  %isel.25 = add nsw i32 %isel.24, 16384
  %isel.26 = lshr i32 %isel.25, 15
  %isel.27 = trunc i32 %isel.26 to i16
  %isel.28 = shl i32 %isel.26, 16
  %isel.29 = ashr exact i32 %isel.28, 16
  %isel.30 = add nsw i32 %isel.29, %isel.21
  %isel.31 = icmp slt i32 %isel.30, -32768
  %isel.32 = icmp sgt i32 %isel.30, 32767
  %isel.33 = add i16 %isel.10, %isel.27
  %isel.34 = select i1 %isel.32, i16 32767, i16 %isel.33
  %isel.35 = select i1 %isel.31, i16 -32768, i16 %isel.34
  %isel.36 = mul nsw i32 %isel.22, %isel.21
  %isel.37 = add nsw i32 %isel.36, 16384
  %isel.38 = lshr i32 %isel.37, 15
  %isel.39 = trunc i32 %isel.38 to i16
  %isel.40 = shl i32 %isel.38, 16
  %isel.41 = ashr exact i32 %isel.40, 16
  %isel.42 = add nsw i32 %isel.41, %isel.23
  %isel.43 = icmp slt i32 %isel.42, -32768
  %isel.44 = icmp sgt i32 %isel.42, 32767
  %isel.45 = add i16 %isel.8, %isel.39
  %isel.46 = select i1 %isel.44, i16 32767, i16 %isel.45
  %isel.47 = select i1 %isel.43, i16 -32768, i16 %isel.46
  %isel.48 = load <2 x i16>, ptr %8, align 2
  %isel.49 = freeze <2 x i16> %isel.48
  %isel.50 = sext i16 %isel.14 to i32
  %isel.51 = sext i16 %isel.47 to i32
  %isel.52 = sext <2 x i16> %isel.49 to <2 x i32>
  %isel.53 = extractelement <2 x i32> %isel.52, i64 0
  %isel.54 = mul nsw i32 %isel.53, %isel.50
  %isel.55 = add nsw i32 %isel.54, 16384
  %isel.56 = lshr i32 %isel.55, 15
  %isel.57 = trunc i32 %isel.56 to i16
  %isel.58 = shl i32 %isel.56, 16
  %isel.59 = ashr exact i32 %isel.58, 16
  %isel.60 = add nsw i32 %isel.59, %isel.51
  %isel.61 = icmp slt i32 %isel.60, -32768
  %isel.62 = icmp sgt i32 %isel.60, 32767
  %isel.63 = add i16 %isel.47, %isel.57
  %isel.64 = select i1 %isel.62, i16 32767, i16 %isel.63
  %isel.65 = select i1 %isel.61, i16 -32768, i16 %isel.64
  %isel.66 = sext i16 %isel.16 to i32
  %isel.67 = sext i16 %isel.65 to i32
  %isel.68 = mul nsw i32 %isel.67, %isel.66
  %isel.69 = mul nsw i32 %isel.51, %isel.50
  %isel.70 = insertelement <2 x i32> poison, i32 %isel.69, i64 0
  %isel.71 = insertelement <2 x i32> %isel.70, i32 %isel.68, i64 1
  %isel.72 = add nsw <2 x i32> %isel.71, splat (i32 16384)
  %isel.73 = lshr <2 x i32> %isel.72, splat (i32 15)
  %isel.74 = trunc <2 x i32> %isel.73 to <2 x i16>
  %isel.75 = shl <2 x i32> %isel.73, splat (i32 16)
  %isel.76 = ashr exact <2 x i32> %isel.75, splat (i32 16)
  %isel.77 = add nsw <2 x i32> %isel.76, %isel.52
  %isel.78 = icmp slt <2 x i32> %isel.77, splat (i32 -32768)
  %isel.79 = icmp sgt <2 x i32> %isel.77, splat (i32 32767)
  %isel.80 = add <2 x i16> %isel.49, %isel.74
  %isel.81 = select <2 x i1> %isel.79, <2 x i16> splat (i16 32767), <2 x i16> %isel.80
  %isel.82 = select <2 x i1> %isel.78, <2 x i16> splat (i16 -32768), <2 x i16> %isel.81
  %isel.83 = extractelement <2 x i32> %isel.52, i64 1
  %isel.84 = mul nsw i32 %isel.83, %isel.66
  %isel.85 = add nsw i32 %isel.84, 16384
  %isel.86 = lshr i32 %isel.85, 15
  %isel.87 = trunc i32 %isel.86 to i16
  %isel.88 = shl i32 %isel.86, 16
  %isel.89 = ashr exact i32 %isel.88, 16
  %isel.90 = add nsw i32 %isel.89, %isel.67
  %isel.91 = icmp slt i32 %isel.90, -32768
  %isel.92 = icmp sgt i32 %isel.90, 32767
  %isel.93 = add i16 %isel.65, %isel.87
  %isel.94 = select i1 %isel.92, i16 32767, i16 %isel.93
  %isel.95 = select i1 %isel.91, i16 -32768, i16 %isel.94
  %isel.96 = sext i16 %isel.18 to i32
  %isel.97 = sext i16 %isel.20 to i32
  %isel.98 = sext i16 %isel.95 to i32
  %isel.99 = mul nsw i32 %isel.97, %isel.96
  %isel.100 = add nsw i32 %isel.99, 16384
  %isel.101 = lshr i32 %isel.100, 15
  %isel.102 = trunc i32 %isel.101 to i16
  %isel.103 = shl i32 %isel.101, 16
  %isel.104 = ashr exact i32 %isel.103, 16
  %isel.105 = add nsw i32 %isel.104, %isel.98
  %isel.106 = icmp slt i32 %isel.105, -32768
  %isel.107 = icmp sgt i32 %isel.105, 32767
  %isel.108 = add i16 %isel.95, %isel.102
  %isel.109 = select i1 %isel.107, i16 32767, i16 %isel.108
  %isel.110 = select i1 %isel.106, i16 -32768, i16 %isel.109
  %isel.111 = insertelement <4 x i16> poison, i16 %isel.8, i64 0
  %isel.112 = insertelement <4 x i16> %isel.111, i16 %isel.35, i64 1
  %isel.113 = shufflevector <2 x i16> %isel.82, <2 x i16> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
  %isel.114 = shufflevector <4 x i16> %isel.112, <4 x i16> %isel.113, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x i16> %isel.114, ptr %0, align 2
  store i16 %isel.110, ptr %17, align 2
  br label %isel.115
isel.unlikely.6:
  %isel.116 = load i16, ptr %17, align 2
  %isel.117 = load i16, ptr %0, align 2
  %isel.118 = load i16, ptr %1, align 2
  store i16 %isel.116, ptr %0, align 2
  %isel.119 = sext i16 %isel.117 to i32
  %isel.120 = sext i16 %isel.118 to i32
  %isel.121 = sext i16 %isel.116 to i32
  %isel.122 = mul nsw i32 %isel.120, %isel.121
  %isel.123 = add nsw i32 %isel.122, 16384
  %isel.124 = lshr i32 %isel.123, 15
  %isel.125 = trunc i32 %isel.124 to i16
  %isel.126 = shl i32 %isel.124, 16
  %isel.127 = ashr exact i32 %isel.126, 16
  %isel.128 = add nsw i32 %isel.127, %isel.119
  %isel.129 = icmp slt i32 %isel.128, -32768
  %isel.130 = icmp sgt i32 %isel.128, 32767
  %isel.131 = add i16 %isel.117, %isel.125
  %isel.132 = select i1 %isel.130, i16 32767, i16 %isel.131
  %isel.133 = select i1 %isel.129, i16 -32768, i16 %isel.132
  %isel.134 = mul nsw i32 %isel.120, %isel.119
  %isel.135 = add nsw i32 %isel.134, 16384
  %isel.136 = lshr i32 %isel.135, 15
  %isel.137 = trunc i32 %isel.136 to i16
  %isel.138 = shl i32 %isel.136, 16
  %isel.139 = ashr exact i32 %isel.138, 16
  %isel.140 = add nsw i32 %isel.139, %isel.121
  %isel.141 = icmp slt i32 %isel.140, -32768
  %isel.142 = icmp sgt i32 %isel.140, 32767
  %isel.143 = add i16 %isel.116, %isel.137
  %isel.144 = select i1 %isel.142, i16 32767, i16 %isel.143
  %isel.145 = select i1 %isel.141, i16 -32768, i16 %isel.144
  %isel.146 = load i16, ptr %8, align 2
  %isel.147 = load i16, ptr %9, align 2
  store i16 %isel.133, ptr %8, align 2
  %isel.148 = sext i16 %isel.146 to i32
  %isel.149 = sext i16 %isel.147 to i32
  %isel.150 = sext i16 %isel.145 to i32
  %isel.151 = mul nsw i32 %isel.149, %isel.150
  %isel.152 = add nsw i32 %isel.151, 16384
  %isel.153 = lshr i32 %isel.152, 15
  %isel.154 = trunc i32 %isel.153 to i16
  %isel.155 = shl i32 %isel.153, 16
  %isel.156 = ashr exact i32 %isel.155, 16
  %isel.157 = add nsw i32 %isel.156, %isel.148
  %isel.158 = icmp slt i32 %isel.157, -32768
  %isel.159 = icmp sgt i32 %isel.157, 32767
  %isel.160 = add i16 %isel.146, %isel.154
  %isel.161 = select i1 %isel.159, i16 32767, i16 %isel.160
  %isel.162 = select i1 %isel.158, i16 -32768, i16 %isel.161
  %isel.163 = mul nsw i32 %isel.149, %isel.148
  %isel.164 = add nsw i32 %isel.163, 16384
  %isel.165 = lshr i32 %isel.164, 15
  %isel.166 = trunc i32 %isel.165 to i16
  %isel.167 = shl i32 %isel.165, 16
  %isel.168 = ashr exact i32 %isel.167, 16
  %isel.169 = add nsw i32 %isel.168, %isel.150
  %isel.170 = icmp slt i32 %isel.169, -32768
  %isel.171 = icmp sgt i32 %isel.169, 32767
  %isel.172 = add i16 %isel.145, %isel.166
  %isel.173 = select i1 %isel.171, i16 32767, i16 %isel.172
  %isel.174 = select i1 %isel.170, i16 -32768, i16 %isel.173
  %isel.175 = load i16, ptr %10, align 2
  %isel.176 = load i16, ptr %11, align 2
  store i16 %isel.162, ptr %10, align 2
  %isel.177 = sext i16 %isel.175 to i32
  %isel.178 = sext i16 %isel.176 to i32
  %isel.179 = sext i16 %isel.174 to i32
  %isel.180 = mul nsw i32 %isel.178, %isel.179
  %isel.181 = add nsw i32 %isel.180, 16384
  %isel.182 = lshr i32 %isel.181, 15
  %isel.183 = trunc i32 %isel.182 to i16
  %isel.184 = shl i32 %isel.182, 16
  %isel.185 = ashr exact i32 %isel.184, 16
  %isel.186 = add nsw i32 %isel.185, %isel.177
  %isel.187 = icmp slt i32 %isel.186, -32768
  %isel.188 = icmp sgt i32 %isel.186, 32767
  %isel.189 = add i16 %isel.175, %isel.183
  %isel.190 = select i1 %isel.188, i16 32767, i16 %isel.189
  %isel.191 = select i1 %isel.187, i16 -32768, i16 %isel.190
  %isel.192 = mul nsw i32 %isel.178, %isel.177
  %isel.193 = add nsw i32 %isel.192, 16384
  %isel.194 = lshr i32 %isel.193, 15
  %isel.195 = trunc i32 %isel.194 to i16
  %isel.196 = shl i32 %isel.194, 16
  %isel.197 = ashr exact i32 %isel.196, 16
  %isel.198 = add nsw i32 %isel.197, %isel.179
  %isel.199 = icmp slt i32 %isel.198, -32768
  %isel.200 = icmp sgt i32 %isel.198, 32767
  %isel.201 = add i16 %isel.174, %isel.195
  %isel.202 = select i1 %isel.200, i16 32767, i16 %isel.201
  %isel.203 = select i1 %isel.199, i16 -32768, i16 %isel.202
  %isel.204 = load i16, ptr %12, align 2
  %isel.205 = load i16, ptr %13, align 2
  store i16 %isel.191, ptr %12, align 2
  %isel.206 = sext i16 %isel.204 to i32
  %isel.207 = sext i16 %isel.205 to i32
  %isel.208 = sext i16 %isel.203 to i32
  %isel.209 = mul nsw i32 %isel.207, %isel.206
  %isel.210 = add nsw i32 %isel.209, 16384
  %isel.211 = lshr i32 %isel.210, 15
  %isel.212 = trunc i32 %isel.211 to i16
  %isel.213 = shl i32 %isel.211, 16
  %isel.214 = ashr exact i32 %isel.213, 16
  %isel.215 = add nsw i32 %isel.214, %isel.208
  %isel.216 = icmp slt i32 %isel.215, -32768
  %isel.217 = icmp sgt i32 %isel.215, 32767
  %isel.218 = add i16 %isel.203, %isel.212
  %isel.219 = select i1 %isel.217, i16 32767, i16 %isel.218
  %isel.220 = select i1 %isel.216, i16 -32768, i16 %isel.219
  store i16 %isel.220, ptr %17, align 2
  br label %isel.115
isel.115:
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
declare i16 @llvm.vector.reduce.add.v8i16(<8 x i16>)
declare <8 x i16> @llvm.x86.ssse3.pmul.hr.sw.128(<8 x i16>, <8 x i16>)
attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sapphirerapids" "target-features"="+adx,+aes,+amx-bf16,+amx-int8,+amx-tile,+avx,+avx2,+avx512bf16,+avx512bitalg,+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512fp16,+avx512ifma,+avx512vbmi,+avx512vbmi2,+avx512vl,+avx512vnni,+avx512vpopcntdq,+avxvnni,+bmi,+bmi2,+cldemote,+clflushopt,+clwb,+cmov,+crc32,+cx16,+cx8,+enqcmd,+evex512,+f16c,+fma,+fsgsbase,+fxsr,+gfni,+invpcid,+lzcnt,+mmx,+movbe,+movdir64b,+movdiri,+pclmul,+pconfig,+pku,+popcnt,+prfchw,+ptwrite,+rdpid,+rdrnd,+rdseed,+sahf,+serialize,+sgx,+sha,+shstk,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+tsxldtrk,+uintr,+vaes,+vpclmulqdq,+waitpkg,+wbnoinvd,+x87,+xsave,+xsavec,+xsaveopt,+xsaves" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
