"""The words by which a text tells of telephones: small classes of verbs, things and times.

Patterns are of one sentence in which every letter of a name is `MARK` and what is quoted is blank.
Those that begin a line want a subject before a verb that agrees with it; those that end one want
less, for a line that is wrongly shut only makes somebody deaf.
"""

from __future__ import annotations

import re

MARK = "Ξ"  # stands for each letter of a name: a letter, so that words stay words
DEVICE = (
    r"(?:tele|cell|mobile |smart|head|pay)?phone|mobile|cell|handset|receiver|radio"
    r"|walkie[- ]talkie|intercom|headset|earpiece|switchboard|video call|voice call"
)
DEVICES = re.compile(rf"\b(?:{DEVICE})s?\b", re.IGNORECASE)
OWN = rf"(?:the|a|an|his|her|their|my|your|our|its|{MARK}+['’]s)"
HELD = rf"{OWN} (?:\w+ )?(?:{DEVICE})"
# Beside quoted words, or after a verb of speaking: how they come across.
OVER = re.compile(
    rf"\b(?:(?:over|on|through|into|across|down)\s+(?:{OWN}\s+)?|(?:by|via)\s+)(?:{DEVICE}|line)\b"
    r"|\b(?:on|at|from) the other end\b",
    re.IGNORECASE,
)
INTO = re.compile(rf"\binto\s+(?:{OWN}\s+)?(?:{DEVICE}|line|mouthpiece)\b", re.IGNORECASE)
# What everybody there hears: a radio set; and where it was made so, a loudspeaker.
SET = re.compile(r"\b(?:radio|walkie[- ]talkie|intercom)\b", re.IGNORECASE)
SPEAKER = re.compile(r"\b(?:(?:loud)?speaker(?:phone)?|hands[- ]free)\b", re.IGNORECASE)


def pattern(text: str) -> re.Pattern[str]:
    """A pattern in which a space is any space."""
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)


_SUBJECT = rf"(?P<who>{MARK}+|he|she|they|you|I|we)"
OBJECT = rf"(?P<whom>{MARK}+|him|her|them|you|me)\b(?!['’]s)"
_ADVERBS = r"(?:\s+(?:\w+ly|then|now|also|just|finally|at once|at last|soon|again)){0,2}"
TOLD = rf"{_SUBJECT}(?: who)?{_ADVERBS} "
JOINED = rf"(?:and|then|,)(?: then)?{_ADVERBS} "  # "she picks up the phone and calls him"
BIDDEN = r"(?:^|(?<=[.!?;,])|(?<=\band)|(?<=\bthen))\s*"  # of a player: "phone Greta"
SUBJECTS = (TOLD, JOINED, BIDDEN)
FIRST = re.compile(rf"\s*{_SUBJECT}\b", re.IGNORECASE)
DOERS = re.compile(rf"\b{_SUBJECT}\b(?!['’]s)", re.IGNORECASE)
RIGHT_BEFORE = pattern(
    r"(?: (?:has|have|had|is|are|was|were|who|\w+ly|then|now|also|just)){0,3}\s*"
)
_LINE = rf"(?:{DEVICE}|line)"
_TO_BE = r"(?:am|is|are|was|were|['’]m|['’]s|['’]re)"
_RINGS = (
    r"(?:(?:phon|telephon)(?:es?|ed)|rings?|rang|dial(?:s|led|ed)?|radio(?:s|ed)?"
    r"|(?P<call>calls?|called))"
)
_SPEAKS = r"(?:speaks?|spoke|talks?|talked|says?|said|tells?|told|asks?|asked|chats?|chatted)"
# With he, she or a name these are no deed of theirs: "hear Mara call him", "does she answer".
_BARE = """
    phone telephone ring dial radio call give place make try attempt speak talk say tell ask chat
    pick answer take accept lift raise grab snatch unhook come get join have reach stay
"""
BARE = frozenset(_BARE.split())
AGREEING = frozenset({"i", "you", "we", "they"})

# ── calling somebody, who has not answered ───────────────────────────────────────────────────


def ringing(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that somebody is called; trying to is as good."""
    tries = rf"(?:(?:(?:tries|tried|try|attempts?|attempted)|(?:uses?|used) {HELD}) to )?"
    number = r"(?:number|phone|mobile|cell|line)"
    whose = rf"(?P<whom>{MARK}+|him|her|them|you|me)\b"
    return (
        pattern(rf"\b{subject}(?P<verb>{tries}{_RINGS})(?: up)? {whose}"
                rf"(?:(?:['’]s)? {number}\b|(?!['’]s))"),
        pattern(rf"\b{subject}(?P<verb>{_TO_BE}) (?:phoning|telephoning|ringing|dial?ling|radioing"
                rf"|(?P<call>calling))(?: up)? {OBJECT}"),
        pattern(rf"\b{subject}(?P<verb>gives?|gave) {OBJECT} an? (?:phone )?"
                rf"(?:call|(?P<call>ring|buzz))\b"),
        pattern(rf"\b{subject}(?P<verb>(?:places?|placed|makes?|made|puts?) (?:through )?an?"
                rf" (?:\w+ )?call (?:through )?to) {OBJECT}"),
        pattern(rf"\b{subject}(?P<verb>tries|tried|try) (?P<whom>{MARK}+|his|her|their|your)"
                rf"(?:['’]s)? {number}\b"),
    )  # fmt: skip


# After "calls him": what leaves it open that it is by telephone.
AFTER_CALL = pattern(
    r"\s*(?:$|[.,;:!?…—–\n]|and\b|but\b|up\b|from\b|again\b|back\b"
    rf"|(?:with|using) {HELD}\b)"
)
FROM = re.compile(r"\s*from\s", re.IGNORECASE)

# ── an answer, or talk ───────────────────────────────────────────────────────────────────────

_NTH = r"(?:on|at|after) the (?:\w+ ){0,2}(?:rings?|buzz|try)"
_WHOLE = (  # after "picks up" and "answers": nothing else is picked up or answered
    rf"(?=\s*(?:$|[.,;:!?…—–\n])| (?:and|but|before|after|while|with|in|then|at (?:once|last))\b"
    rf"| \w+ly\b| {_NTH}\b| (?:{HELD}|{OWN} call|it)\b)"
)


def answering(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that somebody takes a call."""
    lifts = (
        r"lifts?|lifted|raises?|raised|grabs?|grabbed|snatche[sd]|unhooks?|unhooked|picks?|picked"
    )
    return (
        pattern(rf"\b{subject}(?P<verb>picks? up|picked up|answers?|answered){_WHOLE}"),
        pattern(rf"\b{subject}(?P<verb>answers?|answered) (?:him|her|them|you|me)\b"
                r"(?=\s*[.,;:!?…])"),
        pattern(rf"\b{subject}(?P<verb>takes?|took|accepts?|accepted|joins?|joined) {OWN}"
                rf" (?:\w+ )?call\b"),
        pattern(rf"\b{subject}(?P<verb>{lifts}) (?:{HELD})\b"),
        pattern(rf"\b{subject}(?P<verb>comes?|came|gets?|got|{_TO_BE}) on(?: the {_LINE})?\b"
                rf"(?<=line|hone|adio|iver)(?! (?:with|to)\b)"),
    )  # fmt: skip


VOICE = pattern(  # "Mara's voice crackles": who was called is there
    rf"\b(?P<who>{MARK}+)['’]s (?:\w+ )?voice(?: \w+ly)? (?P<verb>answers?|answered|comes?|came"
    r"|says?|said|asks?|asked|sounds?|sounded|crackles?|crackled|is|was|fills?|filled|murmurs?"
    r"|murmured|replies|replied)\b"
)
SAYS_VOICE = pattern(
    r"\b(?P<verb>says|said|answers|answered|comes|came|asks|asked|replies|replied)"
    rf" (?P<who>{MARK}+)['’]s (?:\w+ )?voice\b"
)
ANSWERED_BY = pattern(
    rf"\bcall (?P<verb>is|was|gets|got) (?:\w+ly )?(?:answered|taken|picked up)"
    rf" by (?P<who>{MARK}+)\b"
)


def talking(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that two speak on a line."""
    over = rf"(?:over|on|by|via) (?:{OWN} )?{_LINE}\b"
    return (
        pattern(rf"\b{subject}(?P<verb>{_TO_BE}|stays?|stayed) on the {_LINE} (?:with|to)"
                rf" {OBJECT}"),
        pattern(rf"\b{subject}(?P<verb>gets?|got|has|had|have|reaches|reached) {OBJECT}"
                rf" (?:on|over) the {_LINE}\b"),
        pattern(rf"\b{subject}(?P<verb>gets?|got) through to {OBJECT}"),
        pattern(rf"\b{subject}(?P<verb>{_SPEAKS}|{_TO_BE} (?:talk|speak|chatt)ing) "
                rf"(?:(?:to|with) )?{OBJECT}[^.!?…;]{{0,200}}? {over}"),
    )  # fmt: skip


_TOPIC = (  # "tells her that", not "tells her brother"
    r"(?=\s*(?:$|[.,;:!?…—–])|\s+(?:that|to|about|of|what|where|when|who|why|how|whether|if|all"
    r"|everything|nothing|not|it|the|a|an|and|for|in|as|at|goodbye|good)\b)"
)


def speaking(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that one speaks to another, by whatever they do."""
    return (pattern(rf"\b{subject}(?P<verb>{_SPEAKS}) (?:(?:to|with) )?{OBJECT}{_TOPIC}"),)


# Before who does it, these make it no deed of here and now.
SUPPOSED = re.compile(
    r"\b(?:if|unless|should|whenever|before|until|till|perhaps|maybe|imagin\w*|suppos\w*|that"
    r"|whether|dream\w*|hop(?:es?|ed|ing)|wish\w*|rememb\w*|recall\w*|(?<!at )once|wait\w*"
    r"|wonder\w*|think\w*|thought|want\w*|as (?:though|if)|promis\w*|says?|said|will|shall|would"
    r"|could|can|cannot|may|might|must|need\w*|going to|gonna|about to|plans? to|planned to"
    r"|intend\w*|means? to|meant to|decid\w* (?:not )?to|refus\w*|declin\w*|forg[eo]t\w*|fail\w*"
    r"|afraid|fear\w*|instead of|rather than|without|not|never|no longer|almost|nearly|had|like)\b"
    r"|n['’]t\b|['’]ll\b|['’]d\b",
    re.IGNORECASE,
)
_SPAN = r"(?:day|night|week|month|year|morning|afternoon|evening|time|hour|summer|winter|\w+day)"
# Anywhere in the sentence: of another time, or of many.
ANOTHER_TIME = re.compile(
    rf"\b(?:(?:every|each)\s+(?:\w+\s+)?{_SPAN}|always|often|usually|sometimes|seldom|rarely|weekly"
    rf"|daily|nightly|normally|regularly|(?:once|twice|times)\s+an?\s+{_SPAN}|on\s+\w+days|used\s+to"
    rf"|yesterday|ago|last\s+{_SPAN}|earlier|previously|back\s+then|in\s+(?:those|the\s+old)\s+days"
    rf"|the\s+(?:day|night|week|evening|morning)\s+before|(?:this|that)\s+morning|as\s+a\s+(?:child|boy"
    rf"|girl)|tomorrow|next\s+{_SPAN}|later\s+(?:today|tonight|on|this)|in\s+(?:an?|a\s+few|\w+)\s+"
    r"(?:minutes?|hours?|days?|weeks?)|most\s+(?:days|nights|evenings)"
    rf"|all\s+{_SPAN}|for\s+(?:an?\s+|\w+\s+)?(?:minutes?|hours?))\b"
    r"|\blater\s*[.!]?\s*$",
    re.IGNORECASE,
)
MISSED = pattern(
    r"\b(?:no(?:body| one|ne)(?: else)? (?:\w+ )?(?:answer|pick|take|repl)(?:s|ed|ies|ied)?"
    r"|(?:do(?:es)?|did|is|was|will|would|ca|can|could|has|have|had)(?:n['’]t| not|not)"
    r" (?:answer|pick|take (?:the|her|his|your|my) call|there\b|available|respond|reply)"
    r"|never (?:answer|pick|repl)\w*|voice-?mail"
    r"|voice mail|answering machine|answerphone|leave a message"
    r"|after the (?:tone|beep)|no (?:answer|reply|response|signal|service|reception|connection"
    r"|dial tone|coverage)|(?:line|number|phone|mobile) (?:is|was) (?:engaged|busy|dead|off"
    r"|switched off|out of)|busy signal|engaged tone|(?:rings?|rang) out|(?:rings?|rang) and"
    r" (?:rings?|rang)|(?:rings?|rang|goes|went) unanswered|out of range|not in service"
    r"|(?:declines?|declined|rejects?|rejected|ignores?|ignored|refuses?|refused|screens?|screened)"
    r" (?:\w+ ){1,2}call|lets? (?:it|the (?:tele)?phone) ring)\b"
)
RECORDED = re.compile(r"\b(?:record(?:ed|ing)|tape|message|greeting|machine)\b", re.IGNORECASE)

# ── the end of it ────────────────────────────────────────────────────────────────────────────

_PUT = (
    r"puts?|putting|sets?|setting|lays?|laid|laying|slam(?:s|med|ming)?|replac(?:es?|ed|ing)"
    r"|return(?:s|ed|ing)?|drop(?:s|ped|ping)?|hangs?|hung|hanging|toss(?:es|ed|ing)?|throws?|threw"
    r"|flings?|flung|stow(?:s|ed|ing)?|tuck(?:s|ed|ing)?|slip(?:s|ped|ping)?|shov(?:es?|ed|ing)"
    r"|snap(?:s|ped|ping)?|flip(?:s|ped|ping)?|click(?:s|ed|ing)?|switch(?:es|ed|ing)?|turn(?:s|ed|ing)?"
    r"|shuts?|shutting|clos(?:es?|ed|ing)|bang(?:s|ed|ing)?|thrusts?|slid(?:es?|ing)?|rests?|rested"
    r"|plac(?:es?|ed|ing)|lea(?:ves?|ving)|left|pocket(?:s|ed|ing)?|smash(?:es|ed|ing)?"
    r"|crash(?:es|ed|ing)?|is|was|are|were|has|have|had|been"
)
_GONE = r"(?:down|away|back|aside|up|off|shut|closed|dead)"
# Not to one's ear, nor on speaker or on hold: there it goes on being used.
_SOMEWHERE = (
    rf"(?:on|in|into|onto|to|under|beside|inside) (?!(?:(?:the )?(?:loud)?speaker|hold|mute)"
    rf"|{OWN} (?:\w+ )?(?:ear|mouth|lips|cheek|face|shoulder|chest))\w"
)
_ENDS = (
    r"ends?|ended|ending|cuts?|cutting|breaks?|broke|breaking|disconnect(?:s|ed|ing)?|drop(?:s|ped|ping)?"
    r"|terminat(?:es?|ed|ing)|kill(?:s|ed|ing)?|finish(?:es|ed|ing)?|clos(?:es?|ed|ing)|sever(?:s|ed|ing)?"
    r"|stop(?:s|ped|ping)?|leav(?:es?|ing)|left"
)
_TALK = r"(?:phone )?(?:call|connection|line|conversation|transmission|link|phone)"
ENDING = (
    pattern(rf"\b(?P<verb>(?:hangs?|hung|hanging) up)\b(?! {OWN} (?!(?:{DEVICE})\b))"),
    pattern(r"\b(?P<verb>(?:rings?|rang|ringing|signs?|signed|signing|clicks?|clicked) off)\b"
            r"(?! the hook)"),
    pattern(rf"\b(?P<verb>{_ENDS})(?: off| short)? {OWN} {_TALK}\b(?! in )"),
    pattern(rf"\b(?P<verb>(?:{_PUT}) {_GONE}) {HELD}\b"),
    pattern(rf"\b(?P<verb>{_PUT}) {HELD}(?: back| \w+ly)? (?:{_GONE}\b(?! to {OWN} (?:ear|mouth))"
            rf"|{_SOMEWHERE})"),
    pattern(rf"\b{HELD} (?P<verb>(?:{_PUT})(?: \w+ly)? (?:(?:put|set|laid|hung|replaced|slammed"
            rf"|switched|turned|dropped) )?{_GONE})\b"),
    pattern(rf"\b(?P<verb>(?:replac|pocket|cradl|stow|drop)(?:es?|s|p?ed|p?ing)) {HELD}\b"),
    pattern(rf"\b(?P<verb>hands|handed|handing|(?:(?<=I\s)|(?<=you\s)|(?<=and\s)|^)hand|pass(?:es|ed|ing)?|gives?|gave|giving)"
            rf" (?:\w+ )?{HELD}\b"),
    pattern(rf"\b(?P<verb>(?:gets?|got|getting|{_TO_BE}) off) the {_LINE}\b"),
    pattern(r"\b(?P<verb>disconnect(?:s|ed|ing)?)(?=\s*[.,;:!?…]|\s*$| and\b)"),
    pattern(r"\b(?P<verb>red|end[- ]call|hang-?up) (?:button|icon|key)\b"),
)  # fmt: skip
DEAD = pattern(
    rf"\b(?:the|his|her|your|my|their) (?:{_TALK}|signal|radio|battery|mobile) (?:has |have |had )?"
    r"(?:(?:goes|went|gone|falls|fell|fallen|is|was|gets|got|been|cuts?) (?:\w+ly )?(?:dead|silent"
    r"|quiet|gone"
    r"|cut(?: off)?|over|lost|out|off|done|disconnected|broken|finished|closed)"
    r"|ends|ended|drops|dropped|breaks|broke|broken|dies|died|fails|failed"
    r"|disconnects|disconnected)\b"
    r"|\b(?:dial(?:ling)? tone|after the (?:phone )?call|call ended"
    r"|the (?:phone )?call (?:over|finished|done))\b"
)
# While it rings this may be the answer; on an open line it is the end.
CLICK = pattern(
    r"\b(?:line|phone|receiver|connection) (?:clicks|clicked)\b"
    r"|\bclicks?\b[^.!?]*\b(?:line|phone|receiver|silence|nothing|connection)\b"
    r"|^\W*an? (?:\w+ )?click\W*$"
)
_LONG = r"(?:minutes?|hours?|days?|weeks?|months?|years?)"
_NEXT = r"(?:day|night|week|month|year|morning|afternoon|evening|dawn)"
LATER = pattern(
    rf"^\W*(?:and |then |but )?(?:(?:[\w-]+ ){{1,4}}{_LONG} (?:later|afterwards|passe?[sd]?|go by"
    rf"|went by)|(?:much )?later(?: that {_NEXT})?\b|(?:the|on the) (?:next|following) {_NEXT}"
    rf"|that (?:night|evening|afternoon)"
    rf"|(?:by|at|toward) (?:dawn|dusk|noon|midnight|nightfall|sunset|sunrise)"
    rf"|afterwards?|after an? (?:long )?(?:while|time))\b"
    rf"|^\s*(?:(?:\*\s*){{3}}|[*—–~-]{{3,}}|⁂|#)\s*$"
)
# Right before the verb of an ending: it is not done.
UNDONE = re.compile(
    r"(?:\b(?:not|never|to|would|will|could|can|cannot|might|may|should|must|let|almost|nearly)|n['’]t|['’]ll)\s+"
    r"(?:\w+ly\s+)?$",
    re.IGNORECASE,
)
NOT_YET = re.compile(
    r"\b(?:if|unless|before|until|till|imagin\w*|dream\w*|instead of|without|as if|as though)\b",
    re.IGNORECASE,
)

# ── at one's own end ─────────────────────────────────────────────────────────────────────────

_SPEAKER = r"(?:loud)?speaker(?:phone)?"
_WHAT = rf"(?:(?P<whom>{MARK}+|him|her|them|you|me)|it|{OWN} (?:call|line|{DEVICE}))"
_TURNS = r"(?P<verb>puts?|switch(?:es|ed)?|turns?|turned|sets?|has|takes?|took)"
_PRESS = r"(?P<verb>hits?|press(?:es|ed)?|taps?|tapped|thumbs?|thumbed|punche[sd]|jabs?|jabbed)"
_EAR = rf"{OWN} (?:\w+ )?(?:ear|mouth|lips|cheek)"
_MOUTHPIECE = rf"{OWN} (?:mouthpiece|microphone|mic|{DEVICE})"


def speaking_out(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that all in the room hear the other end."""
    return (
        pattern(rf"\b{subject}{_TURNS} {_WHAT} (?:on|on to|onto|to|over to) (?:the )?{_SPEAKER}\b"),
        pattern(rf"\b{subject}{_TURNS} on (?:the |{OWN} )?{_SPEAKER}\b"),
        pattern(rf"\b{subject}{_TURNS} (?:the |{OWN} ){_SPEAKER} on\b"),
        pattern(rf"\b{subject}{_PRESS} (?:the |{OWN} )?{_SPEAKER}(?: button| key| icon)?\b"),
    )


def speaking_low(subject: str) -> tuple[re.Pattern[str], ...]:
    """Ways to say that they no longer do."""
    return (
        pattern(rf"\b{subject}{_TURNS} {_WHAT} off (?:the )?{_SPEAKER}\b"),
        pattern(rf"\b{subject}{_TURNS} off (?:the |{OWN} )?{_SPEAKER}\b"),
        pattern(rf"\b{subject}{_TURNS} (?:the |{OWN} ){_SPEAKER} off\b"),
    )


MUTING = (
    pattern(rf"\b(?P<verb>mut(?:es?|ed|ing))(?= (?:it|(?:him|her|them|your|my)(?:sel(?:f|ves))?"
            rf"|{OWN} (?:call|line|mic|microphone|{DEVICE}))\b|\s*[.,;!?]| and\b)"),
    pattern(rf"\b{_PRESS} (?:the )?mute\b"),
    pattern(rf"\b{_TURNS} (?:\w+ ){{1,3}}?on mute\b"),
    pattern(rf"\b(?P<verb>cover(?:s|ed|ing)?|cup(?:s|ped|ping)?|muffl(?:es?|ed|ing)|smother(?:s|ed)?)"
            rf" {_MOUTHPIECE}\b"),
    pattern(rf"\b(?P<verb>puts?|putting|claps?|clapped|holds?|held|lays?|laid|places?|placed|cups?"
            rf"|cupped) (?:{OWN} )?(?:\w+ )?(?:hand|palm|fingers?) over {_MOUTHPIECE}\b"),
    pattern(rf"\b(?P<verb>press(?:es|ed|ing)?|holds?|held|holding|puts?|clutch(?:es|ed)?) {HELD}"
            rf" (?:to|against) {OWN} (?:\w+ )?(?:chest|shoulder|thigh|coat|breast|stomach)\b"),
    pattern(rf"\b(?P<verb>lower(?:s|ed|ing)?) {HELD}\b"),
    pattern(rf"\b{OWN} (?:\w+ )?(?P<verb>hand|palm|fingers?) over {_MOUTHPIECE}\b"),
    pattern(rf"\b(?P<verb>away from) {_MOUTHPIECE}\b"),
    pattern(rf"\b(?P<verb>holds?|held|holding|takes?|took) {HELD} (?:away|from {_EAR})\b"),
)  # fmt: skip
UNMUTING = (
    pattern(r"\b(?P<verb>unmut(?:es?|ed|ing))\b"),
    pattern(rf"\b{_TURNS} (?:\w+ ){{1,3}}?off mute\b"),
    pattern(rf"\b(?P<verb>uncover(?:s|ed|ing)?) {_MOUTHPIECE}\b"),
    pattern(rf"\b(?P<verb>takes?|took|lifts?|lifted|removes?|removed|drops?|dropped) {OWN}"
            rf" (?:hand|palm|fingers?) (?:away )?(?:from|off) {_MOUTHPIECE}\b"),
    pattern(rf"\b(?P<verb>raises?|raised|lifts?|lifted|brings?|brought|puts?|returns?|returned|presses|"
            rf"pressed) {HELD}(?: back)?(?: up)? to {_EAR}\b"),
    pattern(rf"\b(?P<verb>(?:turns?|turned|speaks?|spoke|goes|went) back (?:in)?to) the {_LINE}\b"),
)  # fmt: skip
HOLDING = pattern(rf"\b{_TURNS} (?:\w+ ){{1,3}}?on hold\b")
RESUMING = pattern(
    rf"\b(?P<verb>takes?|took|gets?|got) (?:\w+ ){{1,3}}?off hold\b"
    rf"|\b(?:comes?|came|{_TO_BE}) back on the {_LINE}\b"
)
