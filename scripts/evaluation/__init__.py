"""Measures the real program on photos, crops and renders whose truth is known.
`scripts/evaluate.py` runs it."""
