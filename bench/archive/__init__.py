"""An archive that times the C kernels before and after isel on machines that we do not have.

``levels`` are the CPUs it is built for, ``build`` makes it, ``runner`` is what runs there with
Python alone, ``table`` reads what comes back (``python -m bench.archive``).
"""
