"""Cards of play's own things: made from what an audience perceived, and shaped by nothing else."""

import re

import pytest
from msgspec import structs

from storykeeper.context.history import PastTurn, PresentTurn
from storykeeper.context.window import assemble
from storykeeper.events import atoms as a
from storykeeper.events.changes import EntityPromoted, Weight
from storykeeper.events.vocabulary import Tier
from storykeeper.language.tokens import counter
from storykeeper.units import EntityId, Key, TurnNo
from storykeeper.world.evolve import evolve
from strategies.parlour import engine, tell
from strategies.referred import PARLOUR, atom, looks, opened, person, said

CUP = Key("t1.1#1")
EVERYBODY = [("witness", person(who)) for who in ("ann", "mara", "tom")]
PERCEIVES = ("narrator", "ann", "mara")  # what is hidden below is known to Tom and Eve alone


def seen(ref, *, turn=1, number=1, who="tom", what=None, witnesses=EVERYBODY, weight=0.2):
    """Somebody turns to something, before these witnesses."""
    there = [(role, w) for role, w in witnesses if w.entity != who]
    return atom(("actor", person(who)), ("target", ref), *there, turn=turn, number=number,
                what=what, implied=[("attention", 0, 1, weight)])  # fmt: skip


def the_cup(words="the cup", **fields):
    return said(words, **{"joins": CUP, "head": "cup"} | fields)


FIRST = seen(said("a cup", "cup", place="on the table"))


def window(audience, *past, now=None, text="I look at the cup", changes=(), tokens=None):
    """What somebody sees of turn 9, after these atoms and then these changes."""
    world = opened()
    for each in (*past, *changes):
        world = evolve(world, each)
    history = [
        PastTurn(TurnNo(turn), PARLOUR, EntityId("ann"), "I wait.", "Time passes.",
                 tuple(x for x in past if x.turn == turn))
        for turn in range(1, 4)
    ]  # fmt: skip
    act = now if now is not None else looks(at=the_cup(), who="ann", turn=9)
    act = structs.replace(act, source=a.Source.PLAYER,
                          participants=(*act.participants, *_watching(act)))  # fmt: skip
    present = PresentTurn(TurnNo(9), EntityId("ann"), text, (act,))
    made = assemble(world, history, present, audience=audience, tokens=tokens,
                    count=counter("o200k"))  # fmt: skip
    return made.text


def _watching(act):
    acting = {p.entity for p in act.participants}
    ones = [a.Participant(a.Role.WITNESS, person(who)) for who in ("mara", "tom", "eve")]
    return [one for one in ones if one.entity not in acting]


# ── what is in it ────────────────────────────────────────────────────────────────────────────


CARD = re.compile(r"- (?:The|A|It|Her)\b.*cup.*: ")


def card(text):
    return next((line for line in text.splitlines() if CARD.match(line)), None)


def test_a_card_says_what_was_perceived():
    again = seen(the_cup("the chipped cup", descriptors=("chipped",)), turn=2)
    for audience in (*PERCEIVES, "tom"):
        assert card(window(audience, FIRST, again)) == "- The chipped cup: on the table"


def test_what_was_never_seen_before_has_no_card():
    assert card(window("narrator", now=looks(at=said("the cup"), who="ann", turn=9))) is None


def test_a_pronoun_is_no_name():
    assert card(window("mara", FIRST, seen(the_cup("it"), turn=2))).startswith("- A cup:")


def test_whose_it_is_if_one_knows_them():
    hers = seen(the_cup("her cup", possessor=person("mara")), turn=2)
    assert "Mara’s" in card(window("narrator", FIRST, hers))


def test_what_the_turn_does_not_turn_to_has_no_card():
    assert card(window("narrator", FIRST, now=looks(at=person("tom"), who="ann", turn=9))) is None


# ── what is not ──────────────────────────────────────────────────────────────────────────────

ALONE: list = []
TO_EVE = [("target", person("eve"))]


def whisper(words):
    return a.SpeechUttered(words, whispered=True)


def hidden(kind, word):
    """Something about the cup that only Tom and Eve perceived, in these words."""
    details = {"descriptors": (word,), "place": f"under the {word}"}
    ref = the_cup(f"the {word} and very remarkable cup", **details)
    done = a.Resolved(EntityId("thing-1-1-1"), f"the {word} and very remarkable cup", (word,),
                      "descriptive", f"under the {word}")  # fmt: skip
    match kind:
        case "noticed":
            return seen(ref, turn=2, witnesses=ALONE, what=a.ActionTaken("notice"))
        case "whispered":
            return seen(ref, turn=2, witnesses=TO_EVE, what=whisper(f"It is {word}."))
        case "whispered in a full room":
            return seen(ref, turn=2, what=whisper(f"It is {word}."))
        case "elsewhere":
            return seen(ref, turn=2, who="eve", witnesses=ALONE)
        case "state":
            return seen(ref, turn=2, witnesses=ALONE, what=a.StateAsserted(f"It is {word}."))
        case "tracked":
            return seen(done, turn=2, witnesses=ALONE)
        case "owned":
            owner = person("eve") if word == "poisoned" else person("tom")
            return seen(the_cup("that one", possessor=owner), turn=2, witnesses=ALONE)
        case _:
            raise AssertionError(kind)


KINDS = ["noticed", "whispered", "whispered in a full room", "elsewhere", "state", "tracked",
         "owned"]  # fmt: skip
UP = EntityPromoted(
    TurnNo(2), EntityId("thing-1-1-1"), "a cup", None, Tier.TRACKED, Weight(1.0, 2, 1, 0.0), "", CUP
)


@pytest.mark.parametrize("audience", PERCEIVES)
@pytest.mark.parametrize("kind", KINDS)
def test_what_one_did_not_perceive_is_not_said(kind, audience):
    text = window(audience, FIRST, hidden(kind, "poisoned"))
    assert card(text) == "- A cup: on the table"
    assert "poisoned" not in text
    assert "remarkable" not in text


@pytest.mark.parametrize("audience", PERCEIVES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tokens", [None, 400])
def test_nor_does_it_shape_what_is_said(kind, audience, tokens):
    told = [window(audience, FIRST, hidden(kind, word), tokens=tokens)
            for word in ("poisoned", "precious")]  # fmt: skip
    without = window(audience, FIRST, tokens=tokens)
    assert told[0] == told[1] == without


@pytest.mark.parametrize("kind", ["noticed", "whispered", "state", "tracked"])
def test_who_did_perceive_it_is_told(kind):
    changes = (UP,) if kind == "tracked" else ()
    text = window("tom", FIRST, hidden(kind, "poisoned"), changes=changes)
    assert "poisoned" in card(text)


@pytest.mark.parametrize("audience", PERCEIVES)
def test_that_it_is_tracked_now_shapes_nothing(audience):
    """Hidden weight may have given it its id; the window is the same."""
    resolved = person("thing-1-1-1", "the cup")
    heavy = seen(the_cup(), turn=2, witnesses=ALONE, weight=1.0)
    jug = seen(said("a jug", "jug"), turn=1, number=2)
    both = atom(("actor", person("ann")), ("target", resolved),
                ("target", said("the jug", joins=Key("t1.2#1"))), turn=9)  # fmt: skip
    plain = atom(("actor", person("ann")), ("target", the_cup()),
                 ("target", said("the jug", joins=Key("t1.2#1"))), turn=9)  # fmt: skip
    tracked = window(audience, FIRST, jug, heavy, now=both, changes=(UP,))
    assert tracked == window(audience, FIRST, jug, now=plain)
    assert tracked.count(": on the table") == 1


def test_of_what_has_nothing_but_a_name_nothing_is_said():
    plain = seen(said("a cup", "cup"))
    assert card(window("narrator", plain)) is None


# ── the whole way ────────────────────────────────────────────────────────────────────────────


def briefs(secret):
    """What everyone sees after something was whispered to Tom about the cup."""
    keeper = engine()
    tell(keeper, "A cup stands on the table.")
    tell(keeper, f"“The {secret} cup is for Ann,” Mara whispers to Tom.")
    turn = keeper.begin("I take the cup")
    return {who: keeper.window(who).text for who in ("mara", "tom", "ann", "eve")}, turn


def test_a_whisper_about_a_thing_reaches_only_whom_it_is_for():
    one, _ = briefs("poisoned")
    other, _ = briefs("precious")
    assert "poisoned" in one["tom"]
    assert "poisoned" in one["mara"]
    for who in ("ann", "eve"):
        assert "poisoned" not in one[who]
        assert one[who] == other[who]
