"""Wrong rewrites planted into the rewriter: each changes what is written, is caught by the last
proof, and without it is seen natively.
"""
