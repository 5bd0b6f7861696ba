"""Expressions in the dialects of other engines, and ours."""
