"""Signs that those who are there do not see what a sentence tells: hidden, or of another time."""

from __future__ import annotations

import re

_WHO = r"(?:[\w’'-]+ ){1,3}?"
_NOBODY = r"(?:no one|no-one|nobody|none|neither)(?: of (?:them|us|you|the others))?(?: else)?"
_SEE = (
    r"(?:sees?|saw|seen|seeing|notic(?:e|es|ed|ing)|spots?|spotted|watch(?:es|ed|ing)?"
    r"|looks?|looked|looking|observes?|observed|catch(?:es)?|caught|knows?|knew)"
)
# By stealth, or told outright that others do not perceive it; who alone does may be named.
UNSEEN = re.compile(
    rf"\b(?:unseen|unnoticed|unobserved|unremarked|undetected|unbeknownst|unbeknown|unknown to"
    rf"|secretly|in secret|stealth(?:y|ily)|(?:furtive|surreptitious|covert|discreet|sly)(?:ly)?"
    rf"|sneakily|in the dark(?:ness)?|under the (?:table|desk|counter)"
    rf"|(?:pockets|pocketed|palms|palmed|filch\w*|pilfer\w*|purloin\w*|smuggl\w*) (?:the|an?|it|his"
    rf"|her|my|your)"
    rf"|on the sly|by stealth|on the quiet|under cover of|alone"
    rf"|only {_WHO}(?:can |could |may |might |to )?{_SEE}"
    rf"|{_NOBODY} (?:but|except|save|besides) "
    rf"|{_NOBODY} (?:(?:is|was|are|were|can|could|will|would|ever|even|there) ){{0,3}}{_SEE}"
    rf"|(?:backs?|eyes?|heads?|faces?) (?:is|was|are|were) turned|with {_WHO}backs? turned"
    rf"|behind {_WHO}backs?|without {_WHO}{_SEE}|without (?:being|getting) {_SEE}"
    rf"|(?:while|when|as|whilst|until|till|once) {_WHO}(?:looks? away|looked away"
    rf"|turns? away|turned away"
    rf"|(?:is|was|are|were)(?:n['’]t| not) (?:looking|watching)"
    rf"|(?:is|was|are|were) (?:looking away|distracted|busy|otherwise engaged))"
    rf"|(?:am|is|are|be) not seen|(?:anyone|anybody|anyone else) {_SEE}"
    rf"|(?:into|inside|up|under|beneath) (?:my|your|his|her|their) (?:\w+ )?(?:sleeves?|pockets?"
    rf"|coat|cloak|jacket|shirt|bodice|waistband|boots?|gloves?|skirts?|robes?|apron)"
    rf"|out of (?:[\w’'-]+ )?sight|prying eyes|too (?:quick|fast)(?:ly)? for"
    rf"|(?:does|do|did)(?: not|n['’]t) (?:see|notice|look))\b",
    re.IGNORECASE,
)
# A sentence that says of the one before it that nobody saw it.
AFTER = re.compile(
    rf"\W*(?:{_NOBODY}|only {_WHO}{_SEE}|unseen\b|unnoticed\b|(?:the others|the rest|[A-Z]\w+|s?he"
    rf"|they) (?:does|do|did)(?: not|n['’]t) (?:even )?(?:see|notice))\b",
    re.IGNORECASE,
)
# Told of another time: nobody sees it now, whoever may have seen it then.
PAST = re.compile(
    r"\b(?:yesterday|last (?:night|week|month|year|spring|summer|autumn|winter|time|\w+day)"
    r"|the (?:night|day|week|month|year|morning|evening) before(?! the)|(?:\w+ )?ago"
    r"|earlier (?:that|this|in the) \w+|back then"
    r"|(?:years?|months?|weeks?|days?|hours?|minutes?) (?:earlier|before|previously)"
    r"|in (?:my|your|his|her|their) (?:youth|childhood)"
    r"|(?:had|['’]d) (?:(?:already|once|just|long|since|often|\w+ly) ){0,2}"
    r"(?!better|to\b|a\b|an\b|the\b|no\b|his|her|their|my|your|been (?:\w+ing|waiting))"
    r"(?:\w+(?:ed|en|wn|ught|ft|ept|ent|old|id|ung|unk|one|ade)|put|set|cut|hit|let|shut|found|lost"
    r"|won|met|led|fed|read|held|come|run))\b",
    re.IGNORECASE,
)
