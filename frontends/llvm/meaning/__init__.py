"""What instructions mean: lanes of terms with poison, ranges, intrinsics, and the border of what is
modelled.
"""
