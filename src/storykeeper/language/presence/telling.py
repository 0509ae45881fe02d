"""Words that say of somebody that they are not here, or that they come."""

from __future__ import annotations

from storykeeper.language.presence.phrasebook import Phrasebook

_LISTS = {
    "is": "is / are / 's / 're / was / were",
    "has": "has / have / 's / 've / had",
    "now": "already / just / still / currently / now / all / obviously / finally",
    "gone": "gone / away / absent / elsewhere / out",
    "here": "room / party / table / conversation / house / building / chat / group / meeting",
}

# After a name, or "she". The end of the clause is asked for where the verb has other uses: "Ana
# left", but not "Ana left a mark on us all".
GONE = Phrasebook(
    """
    <is> (<now>) <gone> $
    <is> (<now>) gone|away now|for|at|right|today|again
    <is> (<now>) gone|off|away|out to|getting|fetching|making
    <is> (<now>) in the restroom|bathroom|kitchen|hall|hallway|garden|washroom|other
    <is> not here|around|back|present
    isn't|aren't|wasn't here|around|back|present
    <has> (<now>) left|gone|departed $
    <has> (<now>) left for|early|us|now|again|already
    <has> (<now>) left the <here>
    <has> (<now>) gone home|off|out|away|upstairs|outside
    <has> (<now>) gone to get|fetch|the|bed|make|take
    <has> (<now>) stepped out|away|outside
    (just|already) left|departed $
    (just|already) left early|already|us
    (just|already) left the <here>
    (just|already) stepped out|away|outside
    (just|already) went home|outside|upstairs|off
    (just) had to go|leave|run|step $
    (just) had to leave|run|step|rush|head off|out|home|away|early|us
    couldn't|can't make it
    couldn't|can't be here
    will|'ll be (right) back
    hasn't|haven't arrived|returned|come|shown
    """,
    _LISTS,
)
# After a name: here now. After "when", "before", "until" and a name: not here yet.
HERE = Phrasebook(
    """
    <is> (<now>) back|here $
    <is> (<now>) back|here now|again|with|too
    <has> (<now>) arrived|returned
    <has> (<now>) come|walked back|in
    (just) arrived|returned $
    (just) came|walked|got|gets|comes|walks|get|come back|in
    comes|returns|arrives|come|return|arrive $
    joins us
    """,
    _LISTS,
)
NOT_YET = Phrasebook("when|before|until|till|once|whenever|unless|if|after|while")
# Before a name that ends its clause.
WHERE = Phrasebook(
    """
    where is|has
    where's
    where did .. go
    what happened to
    """
)
COMES = Phrasebook(
    """
    here comes
    here's
    here is
    """
)
# Whoever is unnamed is one less.
FEWER = Phrasebook(
    """
    just|only the two|three|four of us
    (just|only) the two|three|four of us now|left|remaining
    just|only us two|three
    """
)
PRONOUNS = ("he", "she", "they")
