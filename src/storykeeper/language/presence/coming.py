"""The words of coming, of coming back, and of welcoming: phrases, by kind."""

from __future__ import annotations

from storykeeper.language.presence.lists import LISTS
from storykeeper.language.presence.phrasebook import Phrasebook

_LISTS = LISTS | {
    "I'm": "I'm (just|finally|now) / I am (just|finally|now)",
    "so": "so / very / really / terribly / truly / awfully / a bit / a little / running",
    "part": "start / beginning / part / fun / party",
    "join": "join / sit / jump / chime / hop / pitch / butt / barge / squeeze / pull up / tag",
    "leaving": "stepping / leaving / rushing / running / disappearing / vanishing / dashing",
    "left": """
        step / stepped / leave / left / rush / run / disappear / disappeared / vanish / vanished /
        dash
    """,
    "couldn't": "couldn't / can't / cannot / could not / can not",
    "overhear": """
        overhear / hear / notice / catch / join / listen / pick / chime / eavesdrop / overhearing /
        hearing / noticing / catching / joining / listening
    """,
    "off": "away / out / off / for / on / earlier / abruptly / so / like / suddenly",
    "interrupt": """
        interrupt / interrupting / interruption / interruptions / intrude / intruding /
        intrusion / barge / barging / butt / butting / eavesdrop / eavesdropping / cut /
        cutting / jump / jumping / drop / dropping / burst / bursting / disturb / disturbing /
        break / breaking / crash / crashing
    """,
    "you-all": "you / you guys / you all / you both / you two / you lot / y'all",
    "talking": """
        talk / talking / discuss / discussing / chat / chatting / mention / mentioning / share /
        sharing / gossiping / laughing / arguing / whispering
    """,
}

RETURNING = Phrasebook(
    """
    <I'm> back $
    <I'm> back now|again|from|with|everyone|guys|folks|everybody
    <I'm> here again
    ^ (and|aaand|okay|alright) back again|now
    ^ (and) just back from
    ^ back from the|my|a|an
    <greeting> again
    I've|we've (just|finally) returned $
    I've|we've (just|finally) returned from|with|to
    I have (just|finally) returned $
    I have (just|finally) returned from|with|to
    I just got|came|returned back|from
    (<good>) to be back
    <sorry> .. <leaving> <off>
    <sorry> .. (had) (to) <left> <off>
    <sorry> for|about (my|the) (brief|sudden|short|long|abrupt) absence|departure|exit|wait
    <sorry> (I) (for) was|being|been gone|away
    <sorry> for|about the interruption|interruptions|delay earlier
    <sorry> for|about interrupting earlier
    jump|jumping|get|step|dive|slide|hop back in|into
    get|bring me up to speed
    rejoin|re-join you|the|this|everyone
    mind if I|we join you|in again
    can|may|could I join you|in again
    """,
    _LISTS,
)
# Said on coming as well as on coming back.
MISSED = Phrasebook(
    """
    what did|have I miss|missed
    what'd I miss
    what have I walked into
    did|have I miss|missed much|anything|something|out|a|the|all
    did I miss
    hope|hopefully I didn't|haven't|hadn't|don't (really) miss|missed
    I didn't|haven't miss|missed much|anything|too
    <sorry> (to|for|that|but) (I|I've) (having|have) miss|missed|missing
    <sorry> (to|for|that|but) (I|I've) (having|have) miss|missed|missing out
    fill|catch me in|up
    bring me up to
    """,
    _LISTS,
)

ARRIVING = Phrasebook(
    """
    <sorry> (that|but|for) (I'm|we're|I) (was|being|am) (<so>) late
    <sorry> for|about my|the (<so>) late|delay|delayed|tardy|tardiness|lateness
    <I'm> (<so>) late $
    <I'm> (<so>) late to the <talk>
    late to the <part>
    better late than
    hope|hopefully .. not (too) late|interrupting|intruding|disturbing|barging|butting|bothering
    am I interrupting|intruding|disturbing|late|too
    mind if I <join>
    mind me <join>
    do|would you mind my|me joining|sitting|chiming|jumping
    can|may|could|might I <join>
    is it okay|ok|alright|fine|possible if I <join>
    is this seat|chair taken|free
    is there room for one|another|me
    room for one more
    <couldn't> help (but) <overhear>
    <couldn't> help but be|feel|resonate|relate drawn|with|to
    <sorry> (to|for|my|the|all|this|about) (to|for|my|the|all|this) <interrupt>
    caught the|a|some|part|bit|your tail|end|bit|of|conversation|part|bits
    overheard|overhearing you|your|the|some|a|part|bits|both|that
    I overheard
    (been) listening in
    been eavesdropping
    I've (just|finally) arrived
    I (just|finally) arrived
    I just got|came|walked here|in|over
    I finally made it
    ^ (finally) made it
    ^ (I) finally made it
    sorry .. took so|me|forever
    there you all|both|guys|two are
    so this is where you've|you're
    what are|were <you-all> <talking>
    what are we talking|discussing
    what's|is|are the (current) topic|subject|discussion|conversation
    what's everyone|everybody|all talking|discussing|this
    what's going on here
    fancy seeing|meeting|bumping|finding
    """,
    _LISTS,
)
# Said by anyone, but on coming most of all.
GREETING = Phrasebook(
    """
    ^ <greeting>
    heard|hearing <you-all> <talking>
    found your conversation|discussion
    where were we
    <sorry> about that
    ^ back $
    <good> to see you (guys|all|both|two)
    """,
    _LISTS,
)

# To somebody who comes; "back" says that it is not for the first time.
WELCOME_BACK = Phrasebook(
    """
    welcome back
    <good> to have you back|again
    <good> to see you back|again
    <good> (that) you're back
    <good> (that) you could come|join|make (it) (us) back|again
    ^ you're|you back $
    ^ you are back
    ^ (and|oh|ah|so) there you are
    ^ back already|again|so
    """,
    _LISTS,
)
WELCOME = Phrasebook(
    """
    ^ (and|oh|well|ah) welcome $
    ^ (and|oh|well|ah) welcome to
    <good> to have you join|here|with|joining
    <good> to see you
    <good> (that) you could|joined|came|made|decided|can make|join|come|it|us|in
    <good> (that) you joined|came|decided
    nice of you to join|come
    thanks|thank (you) for joining|coming
    you (just) made it
    just in time
    now that you've|you're joined|here|arrived
    since you've|you're joined|here
    ^ (please) come in|join
    have a seat
    you're (absolutely|more|always|very) (than) welcome to join
    """,
    _LISTS,
)
