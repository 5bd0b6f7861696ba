"""Control tokens that the text of a corpus spells: the specials of the table and of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bpe_studio.analysis.corpus_use import SpelledSpecial
from bpe_studio.bpe.spelled import SpelledSearch
from bpe_studio.bpe.tokenizer import Tokenizer

__all__ = ["KNOWN", "special_search", "spelled_specials"]

KNOWN: Final = (
    *("<s>", "</s>", "<pad>", "<unk>", "<bos>", "<eos>", "<mask>", "<cls>", "<sep>"),
    *("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]", "[BOS]", "[EOS]", "[gMASK]", "<eop>", "<sop>"),
    *("[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"),
    *("[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]"),
    *("[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[IMG]", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]"),
    *("[MIDDLE]", "[SUFFIX]", "[THINK]", "[/THINK]", "<think>", "</think>"),
    *("<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<end_of_image>", "<end_of_text>"),
    *("<tool_call>", "</tool_call>", "<tool_result>", "<tool_response>", "</tool_response>"),
    *("<fim_prefix>", "<fim_middle>", "<fim_suffix>", "<fim_pad>", "<file_sep>", "<repo_name>"),
    *("<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"),
)
"""Names that well-known models use and that are not of the shape ``<|…|>``, which is searched for
in any case: ``<|endoftext|>``, ``<|im_start|>``, ``<|im_end|>``, ``<|begin_of_text|>``,
``<|eot_id|>`` and so on.
"""

_MOST: Final = 1_000
_MOST_FILES: Final = 10


def special_search(tokenizer: Tokenizer) -> SpelledSearch:
    """A search for the specials of a tokenizer and those of others.

    Added tokens of a single character, or of white space alone, are words, and not looked for.
    """
    own = (name for name in tokenizer.special_ids if len(name.strip()) > 1)
    return SpelledSearch([*own, *KNOWN])


def spelled_specials(
    search: SpelledSearch, files: Sequence[str], ids: Mapping[str, int]
) -> tuple[SpelledSpecial, ...]:
    """What a search has found, the most frequent first; of names that are no special of the table
    at most 1,000.

    Parameters
    ----------
    files : sequence of str
        The label of each file by the number that the search was given.
    ids : mapping from name to id
        The specials of the table.
    """
    told: list[SpelledSpecial] = []
    others = 0
    for spelled in search.found():
        known = ids.get(spelled.name)
        others += known is None
        if known is not None or others <= _MOST:
            most = sorted(spelled.files.items(), key=lambda item: (-item[1], item[0]))
            named = tuple((files[file], count) for file, count in most[:_MOST_FILES])
            told.append(
                SpelledSpecial(spelled.name, known, spelled.count, spelled.documents, named)
            )
    return tuple(told)
