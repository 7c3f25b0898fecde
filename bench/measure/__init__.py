"""A function that a rewrite changed, run against its original on made inputs: what the clock says.

``isel measure``, ``isel batch --journal --measure`` and the benchmarks ask here.  ``inputs`` says
whether a function can be run alone and makes its arguments, ``memory`` is what pointers point to,
``timing`` runs the versions in turns at several places, ``verdict`` says what two runs say,
``changed`` takes two modules.
"""
