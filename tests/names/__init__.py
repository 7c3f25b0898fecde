"""Names mean nothing: modules with other names for values, blocks and functions get the same
verdicts, and outputs that are the same up to names.
"""
