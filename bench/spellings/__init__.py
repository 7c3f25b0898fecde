"""Everyday values, each spelled in several ways: what does a window cost in each?"""
