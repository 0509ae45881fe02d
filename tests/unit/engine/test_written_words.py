"""Words on notes and signs: nobody says them, and who reads them knows them."""

import pytest

from storykeeper.events import atoms as a
from unit.engine.test_not_for_all import ALL, ROOM, knowing, played

NOTES = {
    'Mara unfolds the letter. It reads: "It is marzipan."': {"ann", "mara"},
    'Mara opened the letter. It said, "It is marzipan."': {"ann", "mara"},
    'You find a note on the table. It says, "It is marzipan."': {"ann"},
    'The note says, "It is marzipan."': {"ann"},
    'Tom hands you a card. The card reads "It is marzipan."': {"ann"},
    'Mara hands Tom a note. It reads: "It is marzipan."': {"ann", "tom"},
    'Mara shows Tom the telegram. "It is marzipan," it says.': {"ann", "tom"},
    'The letter began, "It is marzipan."': {"ann"},
    '"It is marzipan," the letter went on.': {"ann"},
    'Tom\'s note said: "It is marzipan."': {"ann"},
    'Zed passes the note to Tom, who reads it: "It is marzipan."': {"ann", "tom"},
    'Mara reads the letter: "It is marzipan."': {"ann", "mara"},
    'Mara reads silently, "It is marzipan."': {"ann", "mara"},
    'You read the first line: "It is marzipan."': {"ann"},
    'A message lights up the screen: "It is marzipan."': {"ann"},
    'The card bears the words "It is marzipan."': {"ann"},
    'On the back of the photograph is written, "It is marzipan."': {"ann"},
    'A slip of paper lies in the book, and on it is printed "It is marzipan."': {"ann"},
    'Tom studies the map. Its title reads "It is marzipan."': {"ann", "tom"},
    'The inscription in the ring says "It is marzipan."': {"ann"},
}
SIGNS = {
    'The sign above the door reads "It is marzipan."': ROOM,
    'A banner hangs from the beams. It says: "It is marzipan."': ROOM,
    '"It is marzipan," reads the sign on the wall.': ROOM,
    'Someone has painted on the wall the words "It is marzipan."': ROOM,
    'Carved over the hearth are the words "It is marzipan."': ROOM,
    'Mara holds up a placard. It says "It is marzipan."': ROOM,
    'A poster proclaims, "It is marzipan."': ROOM,
    'On the blackboard is written, "It is marzipan."': ROOM,
    'Only you notice the sign: "It is marzipan."': {"ann"},
}
SAID = {
    'Mara reads aloud, "It is marzipan."': ALL,
    'Mara reads the note out: "It is marzipan."': ALL,
    'Mara reads to Tom from the letter: "It is marzipan."': ALL,
    'Mara reads the paper. "It is marzipan," she says.': ALL,
    'Mara reads the paper. "It is marzipan!"': ALL,
    'Mara puts down the note. "It is marzipan."': ALL,
    'Tom, who holds a sign, says, "It is marzipan."': ALL,
    'Mara points at the sign and says, "It is marzipan."': ALL,
    '"It is marzipan," says Mara, reading the letter.': ALL,
    'Mara unfolds the letter. "It is marzipan," says Tom.': ALL,
    'Mara looks up from the letter. "It is marzipan," she says.': ALL,
    'Mara recites from the book: "It is marzipan."': ALL,
    'Mara signs the letter. "It is marzipan," says Tom.': ALL,
    '"The sign says marzipan," says Mara.': ALL,
    'Mara looks at the letter. She says: "It is marzipan."': ALL,
}


@pytest.mark.parametrize(("prose", "who"), (NOTES | SIGNS | SAID).items())
def test_who_knows(prose, who):
    assert knowing(played(prose), "arzipan") == who


def spoken(keeper):
    found = [entry.record for entry in keeper.ledger.read("main")]
    return [r for r in found if isinstance(r, a.Atom) and isinstance(r.what, a.SpeechUttered)]


@pytest.mark.parametrize("prose", [*NOTES, *SIGNS])
def test_nobody_says_them(prose):
    (atom,) = spoken(played(prose))
    assert atom.what.written
    assert not [p for p in atom.participants if p.role is a.Role.ACTOR]


@pytest.mark.parametrize("prose", SAID)
def test_somebody_says_them(prose):
    (atom,) = spoken(played(prose))
    assert not atom.what.written
    assert [p for p in atom.participants if p.role is a.Role.ACTOR]


def test_it_is_told_as_it_stands():
    keeper = played('The sign above the door reads "It is marzipan."')
    assert "The sign reads: “It is marzipan.”" in keeper.brief("tom", "a knock").text
    keeper = played('Mara writes in her book, "It is marzipan."')
    assert "Mara writes: “It is marzipan.”" in keeper.brief("mara", "a knock").text


def test_words_after_a_note_answer_who_spoke():
    keeper = played('Mara unfolds the letter. It reads: "Go."\n\n"I will go," says Tom.')
    assert "Tom says: “I will go,”" in keeper.brief("zed", "a knock").text
