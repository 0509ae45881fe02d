"""How a line is said, and what it says its speaker feels: by its words, verbs and marks.

Only what is the player's own counts: not what is denied, nor what somebody else does or feels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from storykeeper.language.acts import Act, ActKind, Feeling, Register

MAX_CHARS = 2_000  # a pasted text has no one tone
_WORD = re.compile(r"[^\W_](?:['’]?[^\W_])*")
_FEELINGS = {
    "anger": (-0.7, 0.9), "sadness": (-0.7, 0.4), "fear": (-0.7, 0.8), "unease": (-0.3, 0.5),
    "joy": (0.8, 0.7), "warmth": (0.5, 0.3), "affection": (0.8, 0.4), "surprise": (0.1, 0.8),
    "shame": (-0.5, 0.4), "disgust": (-0.6, 0.5), "weariness": (-0.2, 0.1), "calm": (0.3, 0.1),
    "curiosity": (0.3, 0.4), "excitement": (0.2, 0.8),
}  # fmt: skip
_CUES = {
    "anger": "angrily angry furious furiously rage snarl snarls growl growls fume livid glare"
    " glares scowl scowls seething enraged wrath",
    "sadness": "cry cries crying cried sob sobs sobbing weep weeps weeping wept tears sadly sad"
    " mournfully tearfully sniffle heartbroken grief grieving",
    "fear": "afraid scared terrified trembling tremble trembles fearfully panic panicked"
    " frightened terror shaking shiver shivers shudder",
    "unease": "nervously nervous anxiously anxious uneasily uneasy hesitantly worried warily",
    "joy": "laugh laughs laughing happily happy grin grins grinning beam beams cheer cheers"
    " joyfully delighted giggle giggles gleefully chuckle chuckles haha hehe",
    "warmth": "smile smiles smiling warmly kindly",
    "affection": "lovingly tenderly fondly affectionately hug hugs kiss kisses embrace",
    "surprise": "gasp gasps startled surprised astonished shocked stunned omg",
    "shame": "blush blushes blushing ashamed embarrassed guiltily sheepishly sheepish sorry"
    " apologise apologize apologetically",
    "disgust": "disgust disgusted retch gag disgustedly revolted",
    "weariness": "sigh sighs wearily tired yawn yawns exhausted tiredly weary",
    "calm": "calmly calm peacefully serenely",
    "curiosity": "curiously curious intrigued",
    "excitement": "excitedly excited eagerly thrilled",
}
_BY_CUE = {word: name for name, words in _CUES.items() for word in words.split()}
# A cue within three words after one of these is denied; or it is somebody else who feels it.
_DENIED = frozenset(["not", "never", "without", "no", "don't", "didn't", "won't", "can't", "stop"])
_OTHERS = frozenset(
    ["she", "he", "they", "you", "her", "him", "them", "his", "their", "she's", "he's", "you're",
     "they're", "why", "if", "who", "it"]
)  # fmt: skip
_MINE = frozenset({"i", "i'm", "im", "my", "am"})
_LOVE = re.compile(r"\bi (?:do |really |still )*(love|hate) (?:you|her|him|them)\b", re.IGNORECASE)
_LOUD = frozenset({"shout", "yell", "scream", "bellow", "roar", "holler", "shriek"})
_LOW = frozenset({"whisper", "murmur", "mutter", "mumble", "breathe"})
_FIERCE = frozenset(
    ["threaten", "insult", "hit", "punch", "slap", "kick", "shove", "attack", "stab", "kill",
     "strangle", "snarl", "growl", "sneer", "spit", "curse", "strike", "choke", "taunt", "mock"]
)  # fmt: skip
_BEGGING = frozenset({"beg", "plead", "implore", "beseech", "entreat"})
_TEASING = frozenset({"tease", "wink", "joke", "jest", "flirt", "tickle", "giggle", "smirk"})
_SAID = {
    Register.WHISPERED: (r"\b(?:in a (?:low|soft|hushed) voice|under my breath|in a whisper)\b"),
    Register.PLAYFUL: (
        r"\b(?:playfully|teasingly|jokingly|lol|lmao|haha|hehe|jk)\b|[;:]-?[pd]\b|;-?\)"
    ),
    Register.HOSTILE: (
        r"\b(?:shut up|damn you|go to hell|or else|screw you|fuck (?:you|off)|piss off"
        r"|i(?:'ll| will) (?:kill|hurt|end|break) (?:you|him|her|them)|liar|bastard|bitch"
        r"|idiot|coward|scum|fool|menacingly|threateningly)\b"
    ),
    Register.PLEADING: (
        r"\b(?:please[ ,!]+(?:\w+[ ,]+){0,3}please|i beg (?:you|of)|i'm begging|have mercy"
        r"|for the love of|(?:please )?help me|on my knees|pleadingly|desperately)\b|\bplease!"
    ),
    Register.FORMAL: (
        r"\b(?:sir|madam|ma'am|my (?:lord|lady)|your (?:grace|honou?r|majesty)"
        r"|good (?:evening|morning|afternoon|day)|would you kindly|if you please"
        r"|i beg your pardon|with respect|permit me|allow me|formally|politely)\b"
    ),
}
_PATTERNS = tuple((register, re.compile(p, re.IGNORECASE)) for register, p in _SAID.items())


def register_of(text: str, acts: Sequence[Act]) -> Register:
    """How a line is said. Who can hear it comes first: low and loud win over the rest."""
    text = text[:MAX_CHARS].replace("’", "'")
    verbs = {act.verb for act in acts if act.kind is not ActKind.ACTION}  # doors may be kicked
    said = [register for register, pattern in _PATTERNS if pattern.search(text)]
    if verbs & _LOW or Register.WHISPERED in said or any(act.whispered for act in acts):
        return Register.WHISPERED
    if verbs & _LOUD or _in_capitals(text):
        return Register.SHOUTED
    done = (
        (Register.PLAYFUL, _TEASING), (Register.HOSTILE, _FIERCE), (Register.PLEADING, _BEGGING),
    )  # fmt: skip
    if Register.PLAYFUL not in said:
        said += [register for register, which in done if verbs & which]
    return said[0] if said else Register.PLAIN


def _in_capitals(text: str) -> bool:
    """Whether it is typed as one shouts: several words in capitals, and a mark to say so."""
    loud = [word for word in _WORD.findall(text) if len(word) > 1 and word.isupper()]
    quiet = [word for word in _WORD.findall(text) if len(word) > 1 and word.islower()]
    return "!" in text and len(loud) > 1 and len(loud) >= len(quiet)


def feeling_of(text: str, names: Iterable[tuple[int, int]]) -> Feeling:
    """What a line says that its speaker feels; `names` are where others are named."""
    text = _unnamed(text[:MAX_CHARS].replace("’", "'"), names)
    found = _LOVE.search(text)
    if found is not None:
        return _felt("affection" if found.group(1).casefold() == "love" else "anger", text)
    words = [word.casefold() for word in _WORD.findall(text)]
    for i, word in enumerate(words):
        before = words[max(0, i - 3) : i]
        if word in _BY_CUE and not _not_mine(word, before):
            return _felt(_BY_CUE[word], text)
    return _felt("excitement", text) if "!!!" in text else Feeling()


def _not_mine(cue: str, before: list[str]) -> bool:
    if any(word in _DENIED for word in before):
        return True
    if cue.endswith("ly"):
        return False  # how *I* look at her: angrily
    nearest = next((w for w in reversed(before) if w in _OTHERS or w in _MINE), "")
    return nearest in _OTHERS


def _felt(name: str, text: str) -> Feeling:
    valence, arousal = _FEELINGS[name]
    return Feeling(name, valence, min(1.0, arousal + 0.2) if "!!" in text else arousal)


def _unnamed(text: str, names: Iterable[tuple[int, int]]) -> str:
    """The text with *she* for every name, of the same length: what follows is somebody else's."""
    for start, end in names:
        if end <= len(text) and end - start >= len("she"):
            text = text[:start] + "she".ljust(end - start) + text[end:]
    return text
