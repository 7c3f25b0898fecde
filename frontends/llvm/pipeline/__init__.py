"""Rewriting a module: functions, rounds, judgement, output."""
