"""Going by a door: who shuts it behind them has gone out, unless they have just come in by it.

*Behind her* is of whom the sentence is about, if the pronoun fits; *behind Dov*, of Dov. What they
do next in that sentence, or a coming told right before, says on which side of the door they are.
"""

from __future__ import annotations

import re

_SHUT = (
    r"(?:shuts?|shutting|clos(?:es?|ed|ing)|slam(?:s|med|ming)|lock(?:s|ed|ing)|bolt(?:s|ed|ing)"
    r"|bang(?:s|ed|ing)|latch(?:es|ed|ing)|pull(?:s|ed|ing)|draw(?:s|ing)|drew|swing(?:s|ing)|swung"
    r"|kick(?:s|ed|ing)|eas(?:es|ed|ing))"
)
SHUTS = re.compile(
    rf"(?<!to\s)\b{_SHUT}\s+(?:the|his|her|their|its|a)\s+(?:\w+\s+)?(?:door|gate|hatch|doors)\s+"
    r"(?:(?:shut|closed|to|fast|hard|\w+ly)\s+){0,2}(?:behind|after)\s+"
    r"(?=(?P<whom>(?:him|her|them)(?:sel(?:f|ves))?\b|[A-Z]))"
)
# What is done on this side of the door.
STAYS_IN = re.compile(
    r"[\w’'-]+\s*(?:,\s*(?:and\s+|then\s+)?|\s+and\s+|\s+then\s+|\s+but\s+)(?:then\s+|\w+ly\s+)?"
    r"(?:sit|sat|stand|stood|lean|com(?:e|ing)|came|cross|turn|fac(?:e|ing)|look|smil|sa(?:y|id)|speak"
    r"|spoke|ask|step(?:s|ped)?\s+(?:in|for|to|closer|up)|walk(?:s|ed)?\s+(?:in|up|over)|approach|join"
    r"|tak(?:es?|ing)\s+(?:a|his|her|their)\s+(?:seat|chair|place)|took\s+(?:a|his|her|their)\s+"
    r"(?:seat|chair|place)|settl|drop(?:s|ped)?\s+into|enter|stay|remain|nod|bow|stare|glar|grin"
    r"|put|set|hang|hung|pour|light|lit)\w*"
)
CAME = re.compile(
    r"\b(?:enter|com(?:e|es|ing)\b|came|arriv|return(?:s|ed)?\b(?!\s+(?:the|his|her|a|your)\b)|appear"
    r"|follow|join|lets?\s+(?:you|him|her|them)|usher|show|(?:step|walk|burst|slip|rush|hurr|storm|stride"
    r"|strode|run|ran)\w*\s+(?:back\s+)?in\b)",
    re.IGNORECASE,
)
