"""The story that `bench prefix` plays: a ferry house with ten rooms, one scene in each.

It has the proportions of the example: rules, soft material, people with a line and relations, a few
things and facts in every room, scenes that weigh differently and lead from one to the next.
"""

from __future__ import annotations

from storykeeper.story.conditions import At, Condition, Did, Knows, Weighed
from storykeeper.story.knowledge import Fact, Reveal
from storykeeper.story.model import Soft, Story
from storykeeper.story.people import Belief, Character, Feeling, Goal, Mood, Relation
from storykeeper.story.places import Path, Setting, Thing
from storykeeper.story.scenes import Approach, Scene, SceneCast, SceneType, Transition

PLAYER = "imre"
# id, name, pronouns, line
PEOPLE = (
    (PLAYER, "Imre", "he/him", "A surveyor of waterways, sent to close the ferry."),
    ("odile", "Odile", "she/her", "Keeps the ferry house; has never asked who pays for the oil."),
    ("bastian", "Bastian", "he/him", "Rows, mends, and counts the strokes under his breath."),
    ("wanda", "Wanda", "she/her", "Cooks for whoever is stranded, and remembers what they left."),
    ("piet", "Piet", "he/him", "Fourteen; knows the river at night, which he is forbidden to."),
    ("salome", "Salome", "she/her", "Came over eleven years ago and has not gone back."),
)
# id, what is said of it, a thing in it, what that is, who must be there
ROOMS = (
    ("landing", "Planks, a bell on a post, the rope going out into mist.", "bell",
     "Bronze, cracked on the river side", ("odile", "bastian")),
    ("hall", "Four doors and a bench worn into seats.", "ledger",
     "Names and crossings back to the old wharf", ("odile", "salome")),
    ("kitchen", "A range, a long table, one window on the water.", "kettle",
     "Dented where somebody threw it", ("wanda", "piet")),
    ("boathouse", "Two boats and the ribs of a third.", "oar",
     "Shorter than the others, and newer", ("bastian", "piet")),
    ("pantry", "Shelves to the ceiling, cold from below.", "jar",
     "Sealed with black wax and not labelled", ("wanda", "odile")),
    ("office", "A desk made for a larger room.", "seal",
     "The Company's, of a kind recalled long ago", ("odile", "salome")),
    ("stair", "Twenty-two steps and no rail.", "lantern",
     "Trimmed every evening, by whom nobody says", ("salome", "piet")),
    ("attic", "Trunks, sails, the sound of rain.", "trunk",
     "Roped, with another name on it", ("wanda", "salome")),
    ("garden", "Beans, a wall, a gate that sticks.", "spade",
     "Bright at the edge", ("bastian", "odile")),
    ("jetty", "Where the water is deepest.", "chain",
     "Goes down further than it should", ("piet", "bastian")),
)  # fmt: skip
_THEMES = ("crossing", "debt", "silence", "water")
_SOFT = {
    "The river": "It is half a mile over at the ferry and no bridge has ever stood. In spring it"
    " takes the lower garden. The far side belongs to another parish, where they bury their own.",
    "The order": "The Company closes the ferry at the end of the month. Imre has a paper that says"
    " so and a second, sealed, that he is to open when everything else has been counted.",
    "The house": "Ten rooms built at ten times. People who miss the last boat sleep where there is"
    " room and are not asked for money, and some of them have stayed.",
    "The household": "Odile, whose house it is by nobody's paper. Bastian, who came with the"
    " second boat. Wanda, who was a passenger. Piet, who was left with them. Salome, who will not"
    " say. They eat together and do not talk of the far side.",
    "The time": "Late October. Oil lamps, ledgers, bicycles, the post twice a week by water."
    " Nobody here has a telephone. No year is given and no country is named.",
}


def stage() -> Story:
    """The story."""
    return Story(
        id="the-ferry-house", title="The ferry house", players=(PLAYER,), start=ROOMS[0][0],
        voice="Second person, present tense. Plain words and short sentences; what hands do, what"
        " things weigh. Let the weather be weather. Nobody explains a feeling, and one exact"
        " detail is better than three good ones.",
        rules=(
            "The player's character is Imre. Never decide for him, and never give him a line.",
            "The last boat goes at sunset, whoever is late for it.",
            "The rope holds. It has always held, and nobody trusts it.",
            "Nobody says what they do not know.",
        ),
        anti_patterns=(
            "No omens that announce themselves.",
            "Do not end a turn with a question to the player.",
        ),
        soft=tuple(Soft(heading=heading, text=text) for heading, text in _SOFT.items()),
        cast=tuple(map(_character, range(len(PEOPLE)))),
        settings=tuple(map(_setting, range(len(ROOMS)))),
        things=tuple(_thing(*room[:4]) for room in ROOMS),
        facts=tuple(fact for number in range(len(ROOMS)) for fact in _facts(number)),
        themes={theme: (_THEMES[i - 1],) for i, theme in enumerate(_THEMES)},
        scenes=tuple(map(_scene, range(len(ROOMS)))),
    )  # fmt: skip


def _character(number: int) -> Character:
    name, called, pronouns, line = PEOPLE[number]
    others = [each[0] for each in PEOPLE if each[0] != name]
    toward, away = others[number % len(others)], others[(number + 2) % len(others)]
    opening = name in ROOMS[0][4]  # then the scene says where they are
    return Character(
        id=name, name=called, pronouns=pronouns, line=line,
        at=None if opening else ROOMS[number][0],
        beliefs=(Belief(text="The river keeps what it is given."),),
        goals=(Goal(text="To be in the house when the last boat has gone."),),
        relations=(
            Relation(to=toward, affection=0.6, history="They once crossed in fog, without a word."),
            Relation(to=away, reliability=-0.4),
        ),
        mood=Mood(valence=-0.2, feelings=(Feeling(name="unease", shown_as="looks at the water"),)),
    )  # fmt: skip


def _setting(number: int) -> Setting:
    name, description = ROOMS[number][:2]
    after = (Path(to=ROOMS[number + 1][0]),) if number + 1 < len(ROOMS) else ()
    return Setting(id=name, name=f"the {name}", description=description, paths=after)


def _thing(room: str, _: str, thing: str, description: str) -> Thing:
    return Thing(id=thing, name=f"the {thing}", description=description, at=room)


def _facts(number: int) -> tuple[Fact, Fact]:
    room, _, thing, _, (first, second) = ROOMS[number]
    theme = (_THEMES[number % len(_THEMES)],)
    known = f"The {thing} in the {room} was brought over by the man who built the house."
    hidden = f"The {thing} was in the water the night the second boat was lost."
    asked = Condition(did=Did(who=PLAYER, act="ask", to=second, about=thing))
    return (
        Fact(id=f"{thing}-came", full=known, about=(thing, room), themes=theme,
             known_by={PLAYER: "read", first: "saw"}),
        Fact(id=f"{thing}-lost", full=hidden, hint=f"The {thing} is never left wet.", secret=True,
             about=(thing, second), themes=theme, known_by={second: "saw"},
             revealed_by=(Reveal(when=asked, how=f"told by {second}"),)),
    )  # fmt: skip


def _scene(number: int) -> Scene:
    room, _, thing, _, people = ROOMS[number]
    following = ROOMS[number + 1][0] if number + 1 < len(ROOMS) else None
    at = None if following is None else Condition(at=At(who=PLAYER, place=following))
    secret = Condition(knows=Knows(who=PLAYER, fact=f"{thing}-came"))
    return Scene(
        id=room, title=f"The {room}", setting=room, cast=SceneCast(required=people),
        type=tuple(SceneType)[number % len(SceneType)], mass=0.2 + 0.08 * number,
        themes=(_THEMES[number % len(_THEMES)],), ending=following is None,
        tone="Level and close; people answering a little too promptly.",
        stakes=f"Whether the {thing} is counted, and who will say whose it is.",
        approach=(Approach(predicates=(Weighed(when=secret),)),),
        leads_to=() if following is None else (Transition(to=following, when=at),),
    )  # fmt: skip
