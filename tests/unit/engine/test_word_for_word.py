"""Facts said outright, by who has them and by who only guesses: who hears it learns it, or not."""

import pytest
from msgspec import structs

from storykeeper.cli.knows import listed
from storykeeper.events import atoms as a
from storykeeper.language.names import Names
from storykeeper.play.knowing import Level
from storykeeper.play.word_for_word import phrases, said_in
from storykeeper.story.adopt import adoption
from storykeeper.story.knowledge import Fact
from storykeeper.world.plan import plan
from strategies.runs import records, unkept
from strategies.six import ALL, house

SOLD = "Vic sold the ruby for nine pounds."
SAID = f"“{SOLD[:-1]},”"


def story(**changes):
    """Jon knows that Vic sold it, and of a rumour that it is not so; Tanya believes the rumour."""
    sold = Fact(id="sold", full=SOLD, hint="A drawer is empty.", known_by={"jon": "saw"},
                about=("ruby",), said=("He sold it.",))  # fmt: skip
    rumour = Fact(id="rumour", full="The cellar is haunted by a monk.", confidence=0.1,
                  known_by={"jon": "heard"}, believed_by={"tanya": "heard"})  # fmt: skip
    facts = {each.id: structs.replace(each, **changes.get(each.id, {})) for each in (sold, rumour)}
    return structs.replace(house(), facts=tuple(facts.values()))


def played(*turns, **changes):
    keeper = unkept(story(**changes))
    keeper.render(keeper.opening(), "Rain falls.")
    for turn in turns:
        line, prose = turn if isinstance(turn, tuple) else ("I wait.", turn)
        keeper.render(keeper.begin(line), prose)
    keeper.end_scene()
    return keeper


def holding(keeper, fact="sold"):
    return {w: keeper.knows(w)[fact].level.value for w in ALL if fact in keeper.knows(w)}


# ── told by who knows it ─────────────────────────────────────────────────────────────────────


def test_who_hears_it_knows_it_by_telling():
    keeper = played("Rain.", f"{SAID} says Jon.")
    assert holding(keeper) == dict.fromkeys(("ada", "tanya", "jon", "vic"), "knows")
    held = keeper.knows("tanya")["sold"]
    assert (held.how, held.since, held.tellers) == ("told by jon", 2, ("jon",))
    assert "sold" in keeper.knows("tanya", thinker="ada")
    assert SOLD in keeper.brief("tanya", "the ruby").text
    assert SOLD not in keeper.brief("bea", "the ruby").text


@pytest.mark.parametrize(
    "words",
    ["It was Vic. Vic sold the ruby, for nine pounds!", "Vic sold the old ruby for nine pounds.",
     "Vic is selling that ruby for nine pounds.", "He sold it."],
)  # fmt: skip
def test_in_other_forms_or_in_words_of_the_authors(words):
    assert "sold" in played(f"“{words}” says Jon.").knows("tanya")


@pytest.mark.parametrize(
    "words",
    ["Vic has not sold the ruby for nine pounds.", "Did Vic sell the ruby for nine pounds?",
     "Perhaps Vic sold the ruby for nine pounds.", "If Vic sold the ruby for nine pounds, well.",
     "Nine pounds for the ruby Vic sold.", "Vic sold the ruby.", "He sold it not.",
     "I think Vic sold the ruby for nine pounds.", "Sold!"],
)  # fmt: skip
def test_what_does_not_say_it_teaches_nothing(words):
    keeper = played(f"“{words}” says Jon.")
    assert holding(keeper) == {"jon": "knows"}
    assert not told(keeper)


def told(keeper):
    happened = (atom.what for atom in records(keeper, a.Atom))
    return [w for w in happened if isinstance(w, a.InformationTold) and w.fact]


def test_of_oneself_one_says_i_and_of_who_is_spoken_to_you():
    mine = {"sold": {"known_by": {"vic": "lived", "jon": "saw"}}}
    keeper = played("Vic goes to the kitchen.", "“I sold the ruby for nine pounds,” says Vic to"
                    " Jon.", **mine)  # fmt: skip
    assert keeper.knows("tanya")["sold"].how == "told by vic"
    keeper = played("Vic goes to the kitchen.", "“You sold the ruby for nine pounds,” says Jon to"
                    " Vic.", **mine)  # fmt: skip
    assert keeper.knows("tanya")["sold"].how == "told by jon"


@pytest.mark.parametrize(
    ("turn", "who"),
    [
        (f"{SAID} Jon whispers to Tanya.", {"tanya"}),
        (f"Tanya is asleep. {SAID} says Jon.", {"ada", "vic"}),
        (f"Tanya goes out. {SAID} says Jon.", {"ada", "vic"}),
        (f"{SAID} Jon says to Bea.", {"ada", "tanya", "vic"}),  # aloud, and she is not there
        (f"Jon rings Bea. {SAID} says Jon.", {"ada", "tanya", "vic"}),
        (f"Jon thinks: “{SOLD}”", set()),
    ],
)
def test_only_who_perceives_it_learns_it(turn, who):
    assert set(holding(played(turn))) == who | {"jon"}


def test_a_player_who_knows_it_tells_it():
    known = {"sold": {"known_by": {"ada": "saw"}}}
    keeper = played((f'I say "{SOLD}"', "Rain."), **known)
    assert keeper.knows("tanya")["sold"].how == "told by ada"
    keeper = played((f'I whisper to Jon "{SOLD}"', "Rain."), **known)
    assert set(holding(keeper)) == {"ada", "jon"}


# ── what is not so ───────────────────────────────────────────────────────────────────────────

HAUNTED = "The cellar is haunted by a monk."
CLAIMED = f"“{HAUNTED[:-1]},”"


def test_what_is_not_so_is_believed_and_who_knows_better_lies():
    keeper = played(f"{CLAIMED} says Jon.")
    held = keeper.knows("ada")["rumour"]
    assert (held.level, held.how, held.liar) == (Level.BELIEVES, "told by jon", "jon")
    honest = played(f"{CLAIMED} says Tanya.").knows("ada")["rumour"]
    assert (honest.level, honest.how, honest.liar) == (Level.BELIEVES, "told by tanya", None)


# ── a guess ──────────────────────────────────────────────────────────────────────────────────


def test_who_guesses_it_tells_nobody_that_it_is_so():
    keeper = played((f'I say "{SOLD}"', "“Nonsense,” says Tanya."))
    held = keeper.knows("tanya")["sold"]
    assert (held.level, held.how, held.guessed) == (Level.BELIEVES, "told by ada", True)
    assert "sold" not in keeper.knows("ada")
    assert "sold" not in keeper.knows("tanya", thinker="ada")
    line = listed(keeper.world().plan, keeper.knows("tanya"))
    assert f"believes sold (told by Ada, who only guessed, turn 1): {SOLD}" in line


def test_a_guess_in_the_authors_other_words_is_none():
    assert not told(played(('I say "He sold it."', "Rain.")))


def test_no_window_tells_a_guess_that_hit_from_one_that_missed():
    """Words that are no fact of this story give the same windows, to whoever heard them."""
    hit = played((f'I say "{SOLD}"', "Rain."), "“Hm,” says Tanya.")
    missed = played((f'I say "{SOLD}"', "Rain."), "“Hm,” says Tanya.",
                    sold={"full": "Vic kept the ruby in a drawer upstairs."})  # fmt: skip
    for who in ("narrator", "tanya", "vic", "bea"):
        one, other = (k.window(who, text="I look at the ruby.") for k in (hit, missed))
        assert one.text == other.text
        assert one.receipt_for(who) == other.receipt_for(who)


def test_a_guess_does_not_become_knowing_and_learning_it_does():
    keeper = played((f'I say "{SOLD}"', "Rain."), f"“Yes, {SAID[1:]} says Jon.")
    held = keeper.knows("tanya")["sold"]
    assert (held.level, held.how) == (Level.KNOWS, "told by jon")
    passed_on = played((f'I say "{SOLD}"', "Rain."), f"{SAID} says Tanya to Vic.")
    assert passed_on.knows("ada")["sold"].guessed


def test_who_heard_a_guess_can_still_be_lied_to():
    keeper = played((f'I say "{HAUNTED}"', "Rain."), f"“Yes, {CLAIMED[1:]} says Jon.",
                    rumour={"believed_by": {}})  # fmt: skip
    held = keeper.knows("vic")["rumour"]
    assert (held.how, held.guessed, held.liar) == ("told by jon", False, "jon")


# ── the rule by itself ───────────────────────────────────────────────────────────────────────


def test_a_denied_fact_is_said_by_denying_it():
    made = structs.replace(story(), facts=(Fact(id="not", full="Vic never sold the ruby."),))
    names = Names.of(made)
    index = phrases(plan(adoption(made)), names)

    def facts(words):
        return [p.fact for p in said_in(words, index, names, speaker="jon", to=None)]

    assert facts("Vic has not sold the ruby.") == ["not"]
    assert facts("Vic sold the ruby.") == []
    assert facts("Vic never sold the ruby. Vic never sold the ruby.") == ["not"]


def test_one_turn_replays():
    keeper = played(f"{SAID} says Jon.", (f'I say "{HAUNTED}"', "Rain."))
    assert keeper.replay().windows == 3


@pytest.mark.parametrize(
    "reported",
    ["They say Vic sold the ruby for nine pounds.", "Ada claims Vic sold the ruby for nine pounds.",
     "It is false that Vic sold the ruby for nine pounds.",
     "The rumour is that Vic sold the ruby for nine pounds.",
     "I refuse to say Vic sold the ruby for nine pounds."],
)  # fmt: skip
def test_what_others_are_said_to_say_is_not_told(reported):
    assert holding(played("Rain.", f"“{reported}” says Jon.")) == {"jon": "knows"}
