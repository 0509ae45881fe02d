"""Going by doing as one is asked: "“Leave us, Cora,” says Dov. She does." """

from __future__ import annotations

import re

COMPLIES = re.compile(
    r"\b(?:do(?:es)?|did)(?:\s+(?:so|that|as\s+(?:\w+\s+){1,3}(?:told|asked|bid|bidden|ordered)))?"
    r"(?=\s*(?:$|[.;!…])|,?\s+(?:and|without|at\s+once|with)\b)"
    r"|\b(?:obey(?:s|ed)?|compl(?:y|ies|ied))(?=\s*(?:$|[.;!…,])|\s+(?:and|without|at\s+once|with)\b)"
)
_LEAVE = (
    r"(?:leave(?:\s+(?:us|me))?(?:\s+(?:alone|now|please|be|at\s+once|for\s+a\s+\w+))?"
    r"|leave\s+(?:the|this)\s+(?:room|house|place|table)|go(?:\s+(?:away|now|home|out|outside))?|get\s+out|be\s+gone|withdraw"
    r"|(?:wait|step|go)\s+outside|give\s+us\s+(?:a\s+(?:moment|minute)|the\s+room)|out|step\s+out)"
)
_REQUEST = re.compile(
    rf"(?:^|[,.!;—–“\"]|\b(?:please|now|to|you|and|must|should|can|could|will))\s*{_LEAVE}"
    r"(?=\s*(?:$|[,.!?;—–”\"])|\s+(?:please|now|and)\b)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|want|need|have|had|ought)\b[^.!?;]*$|n[’']t\b[^.!?;]*$", re.IGNORECASE
)


def is_request(words: str) -> bool:
    """Whether some words ask somebody to leave."""
    return any(not _NOT.search(words[: found.start() + 1]) for found in _REQUEST.finditer(words))
