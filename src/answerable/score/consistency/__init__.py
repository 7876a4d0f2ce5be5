"""Consistency of replies over variants of a question and over repeats (MM-R3; protocols in docs/reference/metrics.md)."""
