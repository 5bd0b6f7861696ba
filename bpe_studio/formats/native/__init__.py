"""The native file: its parts."""
