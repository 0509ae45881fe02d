"""The words around a parting: what is said beside an errand, to whoever goes, and in answer."""

from __future__ import annotations

from storykeeper.language.presence.lists import LISTS
from storykeeper.language.presence.phrasebook import Phrasebook

GOODBYE = Phrasebook(
    """
    ^ (so|well|and|okay|alright) <bye> !to
    ^ ciao|adieu|cheerio
    say goodbye|good-bye|farewell
    """,
    LISTS,
)

# Words that send a talk on its way without the speaker, or put it off.
SEND_OFF = Phrasebook(
    """
    see|catch|meet <you> (all) <later>
    ^ (and) see|catch <you> $
    talk|speak|chat to|with <you> (all) <later>
    talk|speak|chat later|soon
    catch|meet up (with) (you) (guys|all|both|two) (at|some|another) (other) later|soon|time
    until|till next|then|later|we
    ^ (do|please) take care
    carry on
    please|do|you|just continue|proceed
    ^ (please|you) continue|proceed
    ^ (please|you) keep going|talking|chatting|the|it|on|up|those|these|your|sharing|discussing
    ^ (please|you) go on|ahead
    enjoy your|the|yourselves|each|chatting
    have fun
    have a good|great|nice|lovely|wonderful
    let's|we'll (definitely|surely|certainly) <resume>
    let's|we'll catch|talk|meet|chat (up) again|soon|later|another|some|more
    (hopefully|hope) (to|we) (can|will|could) <resume> .. later|another|soon|next|time|again
    can we <resume> later
    when I get|come|am back
    when I return
    when I'm back
    hope our paths
    for now
    """,
    LISTS
    | {
        "resume": """
            continue this / continue our / continue the / continue later / continue another /
            continue soon / continue next / resume this / resume our / resume later /
            finish this / finish our / reconvene / pick this up / pick it up / pick up this
        """
    },
)
# Looking back on the talk.
CLOSING = Phrasebook(
    """
    was|been .. talking|chatting|speaking|meeting|sharing|discussing|hearing|catching
    was|been .. <pleasant> conversation|discussion|chat|talk
    was|been a|an (really|very) pleasure|delight|blast
    it's|has been great|fun|lovely|wonderful|nice|fantastic|enlightening
    enjoyed|loved .. conversation|discussion|chat|talk|talking|chatting|stories
    enjoyed|loved .. sharing|discussing|hearing
    nice|great|good|lovely|pleasure chatting|talking|speaking
    safe travels|journey|trip|drive
    """,
    {
        "pleasant": """
            great / nice / lovely / wonderful / enriching / insightful / enlightening / fun /
            interesting / fruitful / fascinating / pleasant
        """
    },
)

# By one who breaks off.
BREAKING_IN = Phrasebook(
    """
    <sorry>
    afraid
    hate to
    just|suddenly remembered|realized|realised|noticed|got|received|recalled|saw
    interrupt|interrupting|disturb
    hold that thought
    stop you there
    love|like to continue|chat|keep|talk|hear|listen|discuss|know ... but|however
    anyone|anybody want|need|else
    """,
    LISTS,
)
# Hardly anything by itself.
HINTS = Phrasebook(
    """
    unfortunately|sadly|regrettably|however|meanwhile
    but I|I've|I'll|I'm|my
    right now
    real quick
    for a bit|while|moment|minute|second
    thanks|thank (you) (all|both|guys) (so|very) (much) for a|the|this|your|having
    ^ anyway|shoot|oops
    ^ (well|okay|alright|all|anyway) (right) <all>
    """,
    LISTS,
)

# By those who stay, to whoever goes.
FAREWELL = Phrasebook(
    """
    ^ (so|well|and|okay|alright) <bye> !to
    see|catch you|ya later|soon|around|then|tomorrow|next|shortly|another
    see|catch you|ya (again) in a
    see|catch you|ya when you
    talk|speak|chat to|with you later|soon|tomorrow
    ^ take care !of
    ^ safe travels|journey|trip|drive|flight
    ^ drive|travel|get safe|safely|home
    ^ hurry back
    ^ don't be long
    ^ come back soon
    we'll be here
    we'll miss you
    we'll fill|catch you in|up
    when you're|get|come|return back
    have a good|great|nice|lovely|safe <outing>
    enjoy your|the <outing>
    """,
    LISTS
    | {
        "outing": """
            one / evening / day / night / rest / trip / journey / flight / time / weekend /
            meeting / break / walk / snack / lunch / dinner / call / appointment
        """
    },
)
# What lets somebody go, without a name.
ANSWER = Phrasebook(
    """
    ^ no problem|worries
    ^ of course
    ^ (please) go ahead
    don't worry
    good luck
    best of luck
    ^ sure $
    ^ sure thing
    ^ okay|alright $
    """
)
