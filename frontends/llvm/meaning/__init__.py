"""What instructions mean: lanes of terms with poison, ranges, intrinsics."""
