"""Questions asked of finished values; every answer is a frozen value, and nothing prints.

``text span → parts → story → tree`` (finding, edited_parts, parts, story, explain, tree): how a
piece became tokens. ``text span → parts → merging → reason → proof, variants`` (span, merging,
building, before_merging, why, reason, proof, variants): why it is not one. ``text span → grid``
(letters): which characters are in which tokens. ``token → history``, with ``corpus → pieces``
(history, earned, piece_files): why a token is there at all.
``table → flags`` (flags, alone, longer_tokens, reachable, edited_reach, reach_words, reach_checks,
looks, usage_checks, integrity, health), with
``word counts → usage``: the tokens that will hurt a model.
``embedding matrices → indicators → candidates → flags`` (matrices, reference_rows, principal,
embedding_passes, indicators, undertrained): the tokens that a model has hardly learned.
``two tables → rows, one text → spans`` (compare, shared_ends, compare_text): how two tokenizers
differ.
``span that differs → text blocks → why`` (text_blocks, cut_asking, cut_sentences,
difference_reason, difference_reasons, reason_summary): why they do there. ``one text → lines``
(compare_lines): what each line costs under both.
``training record → curve`` (compression): compression at every vocabulary size.
``one text → units side by side``, ``table → traps`` (units, traps, resorted): what a lesson shows.

Long work is a generator that yields about every 10 ms.
"""
