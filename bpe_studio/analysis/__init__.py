"""Questions asked of finished values; every answer is a frozen value, and nothing prints.

``text span → parts → story`` (parts, story, explain): how a piece became tokens.
``text span → parts → merging → reason`` (merging, building, reason, why): why it is not one token.
``table → flags`` (flags, reachable, reach_checks, looks, usage_checks, health), with
``word counts → usage``: the tokens that will hurt a model.
``two tables → rows, one text → spans`` (compare, compare_text): how two tokenizers differ.
``training record → curve`` (compression): compression at every vocabulary size.
``one text → units side by side``, ``table → traps`` (units, traps, resorted): what a lesson shows.

Long work is a generator that yields about every 10 ms.
"""
