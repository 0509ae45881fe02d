"""What a player types as said low, or done unseen: it is for nobody else, before and after."""

import pytest

from strategies.hall import ALL, CAST, knowing, played
from strategies.tables import table

US = {"ann", "mara"}
SAID = {
    'I lower my voice. "It is marzipan."': {"ann"},
    'I lower my voice and say to Mara "It is marzipan."': US,
    'I lower my voice. "It is marzipan," I tell Mara.': US,
    'I lean close to Mara. "It is marzipan."': US,
    'I lean to Mara\'s ear and say "It is marzipan."': US,
    'I confide in Mara: "It is marzipan."': US,
    'I mutter to myself "It is marzipan."': {"ann"},
    'I keep my voice down. "Mara, it is marzipan."': US,
    'i drop my voice to a whisper. "it is marzipan, Mara"': US,
    'My voice drops. I tell Mara "It is marzipan."': US,
    'I lower my voice. "Well." "It is marzipan, Mara."': US,
    'I take Mara aside. "It is marzipan," I say.': US,
    'I pull Mara aside. "It is marzipan."': US,
    'I draw Mara into a corner. "It is marzipan."': US,
    'I tell only Mara: "It is marzipan."': US,
    'I say only to Mara "It is marzipan."': US,
    'I hiss at Mara "It is marzipan."': US,
    'I do not take Mara aside. "It is marzipan."': ALL,
    'I take Mara aside. "Well." I raise my voice. "It is marzipan!"': ALL,
    'I take a side. "It is marzipan."': ALL,
    'I only tell the truth. "It is marzipan."': ALL,
    'I show everyone the letter. It says "It is marzipan."': ALL,
    'I show Mara the letter. "It is marzipan."': ALL,
    'I lower my cup. "It is marzipan."': ALL,
    'I do not lower my voice. "It is marzipan."': ALL,
    'I lower my voice. "Well, Mara." I raise my voice. "It is marzipan!"': ALL,
    'I speak up. "It is marzipan."': ALL,
    'I lean on the table. "It is marzipan."': ALL,
    'I am confident. "It is marzipan."': ALL,
    'I pocket the knife. "It is marzipan," I say to all.': ALL,
    'I whisper to Tom "Well". I say "It is marzipan" to Mara': ALL,
    'I ask Mara to lower her voice. "It is marzipan."': ALL,
}
UNSEEN = [
    "I discreetly take the knife", "I pocket the knife while nobody is looking",
    "I take the knife behind Tom's back",
    "I take the knife before anyone notices", "I make sure nobody sees and take the knife",
    "I take the knife without anyone noticing", "I secretly take the knife",
    "I quietly take the knife", "I take the knife quietly",
    "I wait until Tom looks away and take the knife",
    "I take the knife unobserved", "I take the knife while Tom looks away",
    "I take the knife under cover of the noise", "I furtively grab the knife",
]  # fmt: skip
SEEN = [
    "I take the knife", "I take the knife. I look at Mara.", "I quickly take the knife",
    "I take the knife. Nobody speaks.", "I take the knife from the back of the shelf",
    "I wait until Tom looks at me and take the knife",
    "I take the knife and say nothing", "I mutter to myself. I take the knife.",
]  # fmt: skip


@table("line, who", SAID.items())
def test_who_hears(line, who):
    assert knowing(played("Rain.", line), "arzipan") == who


def seeing(line):
    keeper = played("Rain.", line)
    found = {who: [p.place for p in keeper.knows(who).places if p.what == "knife"] for who in CAST}
    told = {who for who in CAST if "knife" in keeper.brief(who, "a knock at the door").text}
    return {who for who, places in found.items() if places == ["ann"]} | (told - {"ann"})


@table("line", UNSEEN)
def test_what_is_done_unseen(line):
    assert seeing(line) == {"ann"}


@pytest.mark.parametrize("line", SEEN)
def test_what_is_done_before_all(line):
    assert seeing(line) == {"ann", "mara", "tom", "zed"}


@pytest.mark.parametrize("line", ["I slip the knife into my sleeve", "I palm the knife",
                                  "I hide the knife under my coat"])  # fmt: skip
def test_what_is_slipped_away(line):
    assert "knife" not in played("Rain.", line).brief("tom", "a knock at the door").text


@pytest.mark.parametrize(("line", "who"), [
    ("I lower my voice. I ask Mara about the knife.", {"ann", "mara"}),
    ("I tell Mara about the knife. I lower my voice.", {"ann", "mara", "tom", "zed"}),
])  # fmt: skip
def test_what_it_is_about(line, who):
    assert knowing(played("Rain.", line), "knife") == who


def test_what_is_given_unseen_is_seen_by_whom_it_is_given():
    keeper = played("Rain.", "I take the knife. I secretly give Mara the knife.")
    found = {who: [p.place for p in keeper.knows(who).places if p.what == "knife"] for who in CAST}
    assert found["mara"] == ["mara"]
    assert found["tom"] == ["ann"]
