"""What each kernel computes, in numpy with exact integers."""
