"""The words of leaving: phrases, by kind.

A phrase added here is understood; what makes it no leaving after all (a habit, a condition, a
report) is judged in `departures`. See `phrasebook` for how phrases are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from storykeeper.language.presence.lists import LISTS, OUR_LISTS
from storykeeper.language.presence.phrasebook import Following, Phrasebook, Phrases

# After "I have to": going, whatever for.
_GOING = """
    go now|home|out|off|inside|outside|upstairs|downstairs|away
    go (and) <do>
    go say hi|hello|goodbye
    go (back) to the|my|a|an !beginning|start|question|point|topic|roots|idea|drawing
    go (back) to bed|sleep|class|work
    run $
    run now|along|off|home|out
    run to|into|back|over|down
    run an|some|a|few (few|quick) errands|errand
    run and <do>
    leave $
    leave now|early
    leave you now|two|both|all|guys|here|folks
    leave you for|to a|now|it|your
    leave <here> .. <talk>
    leave for the|my|a|an|another|now|home|work
    leave to <do>
    leave in a minute|moment|bit|second
    head out|off|home|back|inside|outside|upstairs|downstairs|over
    head to|for the|my|a|an|bed|class|work
    step out|away|outside|aside|inside|off $
    step out|away|outside|aside|inside|off for|briefly|quickly|real|a|again|to
    step away|out from|of <here> .. <talk>
    step into|to the|another hall|hallway|kitchen|corridor|room|garden|office|bathroom
    duck|slip|sneak|bow|nip|pop|dash|rush|hurry|scoot|bolt|race out|off|away|home|over|round
    pop|nip|rush|dash|hurry|race|swing|zip (by|over|up|down|back) to|into the|my|a
    dash|scoot|bounce|jet|skedaddle|split|scram|bail|depart|vanish|withdraw $
    get going|moving|home
    get out of here
    get on the|my road|way
    get off the|this phone|call|line
    get to bed|class|school|work
    get to the|my|a|an !bottom|point|heart|core|end|top|truth|next|stage|place|root
    get (some) (fresh) air|sleep
    get back to work|the|my !basics|point|roots|topic|subject|question
    be off !the|my|balance|limits
    be going|leaving|heading|somewhere
    be getting back|home|on|off|along
    be on my way
    be right back
    take off $
    take my leave
    take leave
    take this|that|a|an|the|my .. call
    take this|that (call) outside|now
    take a|another (quick|short|little|small|brief) break $
    take a|another (quick|short|little|small|brief) break from|to <here> .. <talk>
    excuse myself
    make tracks
    make a move|dash
    make a quick trip|run|exit|stop
    make a|an|another .. call
    make my way home|back|out|over|to
    call it a night|day
    hit the road|hay|sack|showers
    turn in $
    retire $
    retire for|to the|my|bed
    powder my
    freshen up
    see a man about
    jump|hop|get on a|another|my call|meeting
    join a|another|my|the (work|team|quick|client|video|conference) call|meeting
    wrap this|it|things up
    sign|log|hop|drop|jump off $
    sign|log|hop|drop|jump off now|this|the call|meeting
    hang up
    use|visit|find the <washroom>
    catch a|my|the|an (last|early|next|late) <ride>
    cut|break|end this|it|our|the|things .. short|off|here
    say goodbye|good-bye|goodnight|bye|farewell
    say good night|bye
    bid you|everyone|all farewell|goodbye|good|adieu
    bid farewell|goodbye|adieu
    attend to a|an|the|my|some|this|something
    attend a|an|another|my (quick|important|urgent) meeting|call|class|appointment|event
    catch you|up later
"""

_BEING_OFF = """
    <I-have-to> (<adverb>) go $
    ^ gotta|must|better go $
    ^ got|have|need to go $
    <I> (<adverb>) must fly $
    <I'm> off $
    <I'm> off to the|my|a|an|bed|get|meet|see|work
    <I'm> off now|home
    ^ <I'm> out $
    <I'm> out of here
    <I'm> leaving $
    <I'm> leaving now|early
    <I'm> taking off $
    <I'm> calling it a night|day
    <I'm> heading out|off|home|back
    <I'm> heading to the|my|bed !same|point|conclusion
    <I'm> stepping out|away|outside
    <I'm> popping|ducking|nipping|slipping|dashing out|off|over|to
    <I'm> going home|outside|now
    <I'm> going to bed !the|down
    <I'm> going (out) for a smoke|walk|drink|coffee
    <I'm> on my way out|home
    <I'm> needed elsewhere|at|in
    <I'm> being called|paged|summoned
    <I'm> called away
    ^ off I go
    ^ off to the|my|bed|work
    back to work I go
    brb
    gtg
    nature|duty calls
    that's me done|off
    that's all the time <I>
    <my> time (here) is up
    <I> need a (quick|short) bathroom|restroom|toilet|smoke break
    that's|there's|here's my <ride>
    that's my cue to
    time for me to go|leave|head|run|be|get|say|turn|take|hit|retire|depart|catch
    time <I> left|went|headed|got
    <I've> (got) somewhere|places to be
    <I've> (got) a|an|another|my <ride> to catch
    <I'll> leave you two|both|all|guys|now|here|folks|ladies|gentlemen
    <I'll> leave you to it|your|enjoy|chat|continue
    <I'll> let you two|both|all|guys|folks|get|carry|continue|chat
    <I'll> see myself out
    ^ (well|so|okay|alright) <bye> , <all> $
    ^ (well|so|okay|alright) <bye> , you two|both|guys|all
    ^ night , <all> $
"""

_BACK_SOON = """
    <I'll> be right back !on
    <I'll> be back soon|shortly|later $
    <I'll> be back soon|shortly|later with|after|to
    <I'll> be back in a|an|just|five|ten|two|no !year|month|week|town|business
    <I'll> be back before
    <I'll> be gone for|only|a
    <I'll> be a|one|just (a) minute|moment|second|sec
    <I'll> rejoin you|the|this
    hope to join you (all|both|guys|two) again
    hope to rejoin you|the|this
    <I'll> join you (guys|all|both|two) later|again|in|shortly|soon
    <I'll> return in|soon|shortly|later
    <I'll> come right|straight back
    ^ be right back
    ^ be back in|soon
    ^ back in a|an|five|ten|two|no
    I won't be long|a
    ^ won't be long|a
"""

_EXCUSED = """
    if you'll (all|both|two|please|just) (just) excuse|pardon me
    if you will|would|could (all|both|two|please|just) excuse|pardon me
    you (all|both|two|guys|ladies) (please) (kindly) excuse|pardon me
    you'll have to (please) excuse|pardon me
    you'll|must (please) excuse|pardon me
    excuse me for a|one|just|now
    excuse me while <I>
    excuse me (a) moment|minute|second
    excuse myself
    continue|carry|go|keep|start|proceed (on|ahead|going|talking|chatting) without me
    continue|carry|go|keep (on|with) (the|this|your) <talk> without me
    don't wait for me
    don't wait up
    don't stop on my
"""

_BREAKING_OFF = """
    wish <I> could stay|chat|talk|continue|linger|keep|listen|stick|hear
    wish <I> didn't have to go|leave|run|cut
    love|like to stay|linger|stick ... but
    hate|loath|loathe|sorry|apologize|apologise|regret to (have) (to) <break>
    apologize|apologise|sorry|apologies for having to <break>
    pains me to <break>
    don't want|like|mean to <break> but
    <I> can't|cannot stay (for) (too|very|much|any) long|longer|tonight
    <I> can't|cannot stay $
"""

# An errand at hand: a leaving if something else says so too.
_ERRAND = """
    let me (<adverb>) (go) (and) <errand>
    <I've> (got) <some> .. <engagement>
    <I've> (got) <some> .. to attend|receive|make|prepare|take|catch|finish|meet|get|pick
    <I> need <some> (quick|short|little|bathroom|smoke) break|drink|breather|refill|smoke
    <I> need <some> (fresh|quiet) air|time|rest|coffee
    <I> could use <some> (quick|fresh) break|drink|breather|refill|smoke|air
    <I'm> getting a .. call|text|message
    <I'm> (already) running late $
    <I'm> (already) (running) late for
    <I'm> due|expected|supposed|needed at|in|to|back|there
    <I> promised .. I'd|to
    <my> .. ~is ringing|here|waiting|dying|calling|outside|arrived|starting|ending|over
    <my> .. ~is about to <start>
    <my> .. starts|begins|closes|leaves|ends|expires in|soon|at|now
    <my> .. (has|have) just arrived|called|texted|rang|died|came|buzzed
    someone's|somebody's calling|waiting|at
    someone|somebody is|just|needs|wants calling|waiting|at|called|texted|me
    there's|there (is) a|an|some .. emergency|door|waiting|calling
    there's|there (is) someone|somebody|something at|calling|waiting|urgent|that !want|to
    something (just|has|urgent|important) (just|has) came|come up
    it's (getting|quite|rather|already) late
    look at the time
    is that the time
"""

_ERRAND_VERBS = "<errand>"
# Anything else to be done: a leaving if more says so.
_TASK_VERBS = "<task> !it|sure|this|time|changes|you|your|better|more"

_ERRANDS = {
    "task": """
        do / make / sort / deal / handle / give / help / talk / speak / work / have / go / put /
        let / move / take / complete / bring / open / order / wake / set / review / study /
        write / read
    """,
    "some": "a / an / another / some / one / my / this / some more",
    "start": "start / begin / expire / die / close / leave / arrive / end / run out / call",
    "engagement": """
        meeting / appointment / call / flight / train / class / lecture / delivery / parcel /
        package / shift / emergency / errand / errands / deadline / rehearsal / interview /
        reservation / visitor / guest / guests / obligation / obligations / commitment /
        engagement / matter / matters / business / task / tasks / work / chores / things /
        presentation / plans / practice / lesson / session / duty
    """,
    "errand": """
        grab / fetch / pick / find / call / ring / phone / change / charge / recharge / receive /
        attend / use / wash / freshen / feed / walk / buy / collect / answer / pack / refill /
        catch / greet / water / run / pop / drive / stretch / rest / pay / send / respond /
        reply / print / mail / post / submit / tend / smoke / eat / drop / return / head /
        prepare / get / meet / finish / see to / look after / wrap up / tie up / step / visit /
        clean / cook / park / hit the / take my / take this / take care of some /
        take care of a / take care of this / take care of something / take care of an /
        check on / check in / check my / check the
    """,
}


_HAVING_TO = """
    <I-must> (<adverb>) (<must>) (<adverb>)
    ^ <must> (<adverb>)
"""


@dataclass(frozen=True, slots=True)
class Goings:
    """The phrases of leaving, for one speaker or for several at once."""

    alone: tuple[Phrases, ...]  # sure without anything else
    errands: tuple[Phrases, ...]
    tasks: tuple[Phrases, ...]


@cache
def goings(*, joint: bool) -> Goings:
    """The phrases as "I" or as "we" says them."""
    lists: Mapping[str, str] = (OUR_LISTS if joint else LISTS) | _ERRANDS
    having_to = Phrasebook(_HAVING_TO, lists)
    alone = (_BEING_OFF, _BACK_SOON, _EXCUSED, _BREAKING_OFF)
    return Goings(
        (
            Following(having_to, Phrasebook(_GOING, lists)),
            *(Phrasebook(lines, lists) for lines in alone),
        ),
        (Following(having_to, Phrasebook(_ERRAND_VERBS, lists)), Phrasebook(_ERRAND, lists)),
        (Following(having_to, Phrasebook(_TASK_VERBS, lists)),),
    )
