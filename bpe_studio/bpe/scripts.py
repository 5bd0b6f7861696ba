"""The Unicode script of every character, by the installed `regex`."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import regex
from numpy.typing import NDArray

from bpe_studio.bpe.char_classes import CODE_POINTS

__all__ = ["COMMON", "script_table"]

COMMON: Final = "Common"
"""What belongs to any script, marks that take that of their letter, and what is not assigned."""

# Those with most characters first: they are asked for in this order.
_NAMES: Final[str] = (
    "Han Hangul Latin Cyrillic Arabic Greek Hebrew Hiragana Katakana Bopomofo Devanagari Bengali "
    "Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar "
    "Georgian Armenian Ethiopic Khmer Mongolian Braille Egyptian_Hieroglyphs "
    "Anatolian_Hieroglyphs Cuneiform Tangut Nushu Yi Vai Bamum Cherokee Canadian_Aboriginal Adlam "
    "Ahom Avestan Balinese Bassa_Vah Batak Bhaiksuki Brahmi Buginese Buhid Carian "
    "Caucasian_Albanian Chakma Cham Chorasmian Coptic Cypriot Cypro_Minoan Deseret Dives_Akuru "
    "Dogra Duployan Elbasan Elymaic Garay Glagolitic Gothic Grantha Gunjala_Gondi Gurung_Khema "
    "Hanifi_Rohingya Hanunoo Hatran Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian "
    "Javanese Kaithi Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khojki Khudawadi Kirat_Rai "
    "Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Mandaic Manichaean "
    "Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive "
    "Meroitic_Hieroglyphs Miao Modi Mro Multani Nabataean Nag_Mundari Nandinagari New_Tai_Lue "
    "Newa Nko Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic "
    "Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur "
    "Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang "
    "Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sogdian Sora_Sompeng Soyombo "
    "Sundanese Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Thaana "
    "Tifinagh Tirhuta Todhri Toto Tulu_Tigalari Tangsa Sidetic Beria_Erfe Tolong_Siki Tai_Yo "
    "Chisoi Seal Jurchen Proto_Cuneiform Ugaritic Vithkuqi Wancho Warang_Citi Yezidi "
    "Zanabazar_Square"
)


@lru_cache(maxsize=1)
def script_table() -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """The names of the scripts, `COMMON` first, and of every code point which of them it has.

    Returns
    -------
    names : tuple of str
    table : uint8 array, shape (0x110000,)
    """
    # A script that the installed `regex` does not know yet has no characters there.
    known = [name for name in _NAMES.split() if _is_known(name)]
    table = np.zeros(CODE_POINTS, dtype=np.uint8)
    text = "".join(map(chr, [*range(0xD800), *range(0xE000, CODE_POINTS)]))
    scripts = "|".join(rf"(\p{{Script={name}}}+)" for name in known)
    # Most code points have none: they are passed over first, many at a time.
    none = r"[\p{Script=Unknown}\p{Script=Common}\p{Script=Inherited}]+"
    for found in regex.finditer(rf"{none}|{scripts}", text):
        if found.lastindex is not None:
            begin, end = (at + (0x800 if at >= 0xD800 else 0) for at in found.span())
            table[begin:end] = found.lastindex
    table.flags.writeable = False
    return (COMMON, *(name.replace("_", " ") for name in known)), table


def _is_known(name: str) -> bool:
    try:
        regex.compile(rf"\p{{Script={name}}}")
    except regex.error:
        return False
    return True
