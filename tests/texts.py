"""Texts that are hard on a tokenizer, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

# One of every kind that a pattern tells apart, and what breaks sloppy code.
HARD_PARTS = [
    " ", "  ", "\n", "\r\n", "\r", "\t",
    "\n\n", " \n", "\u0085", "\u2028", "\u00a0", "\u3000", "\x1c",
    "a", "b", "ab", "A", "Ab", "É", "é", "e\u0301",
    "\u0301", "ſ", "ß", "Σ", "дом", "日本", "नमस्ते", "سلام",
    "1", "12", "1234", "²", "٣", "Ⅷ", "_", ".", ",", "!", "//", "/", "\n/", ".\n", "(", "'",
    "'s", "'S", "'ſ", "'ll", "'LL", "'re", "’s",
    "don't", "WE'VE", "😀", "👩‍👩‍👧", "🇩🇪", "\u200b", "\u200d",
    "\ufeff", "\ufffd", "\x00", "\x7f", "<bos>",
    "<eos>", "<|x|>", "\U0001f1e6", "ǅ", "ʰ", "\U00010940",
]  # fmt: skip

hard_text = st.lists(st.sampled_from(HARD_PARTS), max_size=40).map("".join)
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60) | hard_text
few_letters = st.lists(
    st.text("ab", max_size=30)
    | st.text("abc ", max_size=40)
    | st.text("a \n", max_size=30)
    | st.text("aé日 ", max_size=30),
    min_size=1,
    max_size=4,
)
documents = few_letters | st.lists(hard_text, min_size=1, max_size=4)
