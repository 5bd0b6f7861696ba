"""The command line: one module a command, and what they share.

Nothing here imports the engine before a command needs it, so help and usage errors are
quick; nothing here imports Qt at all.
"""
