"""How Ra speaks: one file a language."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.games.ra.text import da, en, zh_hans, zh_hant
from domain.kernel.words import Words

TEXT: Final[Mapping[str, Words]] = MappingProxyType(
    {"en": en.WORDS, "da": da.WORDS, "zh-Hant": zh_hant.WORDS, "zh-Hans": zh_hans.WORDS}
)
"""By language tag; English first, which every game has."""
