"""AutoLLVM as text: target intrinsics as calls of the dictionary's classes, and such calls as
instructions of any target.  What a call is, :mod:`equiv_classes.calls` says.
"""
