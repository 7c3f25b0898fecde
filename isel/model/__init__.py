"""What search, proof, cache and front ends share: windows, programs, machines, answers and
verdicts.
"""
