"""How much of what is to be kept a sentence says, by the words that both have.

A sentence tells something if it has three of five of its content words. That finds what is said
again in much the same words, and what is only hinted at it does not.
"""

from __future__ import annotations

import re

OVERLAP = 0.6  # so much of a secret's content words in one sentence, and it is told
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"[.!?…;\n“”\"]+")
# Words that say nothing by themselves.
_SMALL_WORDS = """
    a an and are as at be been being but by for if in into is it its of on or such that the their
    then there these they this to was were will with i you he she we me my mine your yours his her
    hers him our us them do does did done have has had am not no nor so from about what when where
    who whom whose which why how would could should can may might shall must just also too very
    really some any all more most than out up down over again both each few other own same only
    never nobody nothing none cannot oh hey hi well yeah yes aye right true indeed okay ok
    maybe perhaps now here"""
SMALL_WORDS = frozenset(_SMALL_WORDS.split())


def sentences(text: str) -> list[frozenset[str]]:
    """The words of each sentence of a text."""
    return [words_of(each) for each in _SENTENCE.split(text)]


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(_WORD.findall(text.lower()))


def tells(sentence: frozenset[str], content: frozenset[str]) -> bool:
    """|sentence ∩ content| ≥ .6·|content|: a sentence that has so many of its words tells it."""
    return bool(content) and len(sentence & content) >= OVERLAP * len(content)
