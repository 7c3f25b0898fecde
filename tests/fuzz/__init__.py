"""Random functions, rewritten by ``isel opt`` and run in both versions.

Generators (:mod:`tests.fuzz.generators`) make a batch, a module of several functions with the calls
to run; :mod:`tests.fuzz.check` rewrites it and compares memory between guard pages;
:mod:`tests.fuzz.campaign` does many, and keeps and shrinks what it finds.
"""
