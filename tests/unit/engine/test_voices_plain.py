"""Plain talk is heard by all who are there, whatever else its sentence tells; what is said low or
to oneself is not.
"""

import pytest

from unit.engine.test_not_for_all import ALL, knowing, played

US = {"ann", "mara"}
THEM = {"mara", "tom"}

BESIDE_THE_TAG = {
    '"It is marzipan," Mara said, and the room fell silent.': ALL,
    '"It is marzipan," said Mara, and silence followed as Zed wrung the silent bell.': ALL,
    '"It is marzipan," says Mara, pouring herself tea.': ALL,
    '"It is marzipan," says Mara, hugging herself.': ALL,
    '"It was marzipan," Mara said, introducing herself.': ALL,
    '"It is marzipan," she says, and Mara makes herself comfortable.': ALL,
    '"It is marzipan," says Mara, without whispering.': ALL,
    '"It is marzipan," says Mara, not muttering now.': ALL,
    '"It is marzipan," says Mara, and Tom whispers to Zed.': ALL,
    '"It is marzipan," says Mara, who lives alone.': ALL,
    '"It is marzipan," says Mara, who knows her cakes.': ALL,
    '"It is marzipan," says Mara, as Tom steadies himself.': ALL,
    '"It is marzipan," says Mara, but Tom is afraid of almonds.': ALL,
    'Mara pours herself tea and says, "It is marzipan."': ALL,
    # near misses: how the words themselves are said
    '"It is marzipan," says Mara to herself.': US,
    '"It is marzipan," says Mara, half to herself.': US,
    '"It is marzipan," says Mara under her breath.': US,
    '"It is marzipan," says Mara, whispering.': US,
    '"It is marzipan," says Mara silently.': US,
    '"It is marzipan," says Mara, alone in the hall with the clock.': US,
    '"It is marzipan," says Mara, and pours tea, unheard.': US,
    '"It is marzipan," says Mara behind Tom\'s back.': US,
    '"It is marzipan," Mara says, without Tom noticing.': US,
    '"It is marzipan," says Mara, secretly.': US,
}


@pytest.mark.parametrize(("prose", "who"), BESIDE_THE_TAG.items())
def test_what_else_the_sentence_tells(prose, who):
    assert knowing(played(prose), "arzipan") == who


NEAR_BUT_ALOUD = {
    'Mara leans in and pours the tea. "It is marzipan," she says.': ALL,
    'Mara leaned closer and took a biscuit. "It was marzipan," she said.': ALL,
    'Mara bends nearer and lifts the lid. "It is marzipan," she says.': ALL,
    'Mara pulls Zed close and kisses him. "It is marzipan," she says.': ALL,
    'Mara drew Tom close for a hug. "It was marzipan," she said.': ALL,
    'Tom drops off a parcel on the table. "It is marzipan," says Mara.': ALL,
    'Tom passes out the cards. "It is marzipan," says Mara.': ALL,
    'Tom passed out drinks to everyone. "It was marzipan," said Mara.': ALL,
    'Zed dropped off the letters. "It was marzipan," said Mara.': ALL,
    # near misses
    'Mara leans in and smiles. "It is marzipan," she says.': US,
    'Mara leans in and puts a hand on your arm. "It is marzipan," she says.': US,
    'Mara pulls Tom closer. "It is marzipan," she says.': THEM,
    'Tom drops off. "It is marzipan," says Mara.': ALL - {"tom"},
    'Tom passes out on the sofa. "It is marzipan," says Mara.': ALL - {"tom"},
    'Tom passes out the moment he sits. "It is marzipan," says Mara.': ALL - {"tom"},
    'Tom drops off in the armchair. "It is marzipan," says Mara.': ALL - {"tom"},
}

FOR_ONE = {
    '"It is marzipan," she hisses in your ear. Mara glances round.': {"ann"},
    '"It is marzipan," somebody hisses in your ear.': {"ann"},
    'Mara takes your arm. "It is marzipan," she whispers.': US,
    'Mara squeezed your hand. "It was marzipan," she whispered.': US,
    'Mara tugs at your sleeve. "It is marzipan," she murmurs.': US,
    'Mara takes Tom\'s arm. "It is marzipan," she whispers.': THEM,
    'Mara and Tom whisper together in the corner. "It is marzipan," says Mara.': THEM,
    'Mara and Tom murmured to each other. "It was marzipan," said Mara.': THEM,
    # near misses: nobody is told whom it is for
    'Mara takes the knife. "It is marzipan," she whispers.': {"mara"},
    'Mara looks at Tom. "It is marzipan," she whispers.': {"mara"},
    'Tom takes your arm. "It is marzipan," Mara whispers.': {"mara"},
    'Mara rubs her arm. "It is marzipan," she whispers.': {"mara"},
    'Mara takes your arm. "It is marzipan," she says.': ALL,
}


@pytest.mark.parametrize(("prose", "who"), (NEAR_BUT_ALOUD | FOR_ONE).items())
def test_what_is_told_before(prose, who):
    assert knowing(played(prose), "arzipan") == who


BY_WHOM = {
    '"It is marzipan." Mara shrugs.': ALL,
    '"It is marzipan." Tom smirks.': ALL,
    '"It is marzipan." Mara\'s voice is flat.': ALL,
    'Mara\'s tone was cool. "It was marzipan."': ALL,
    'Mara: "It is marzipan."': ALL,
    '**Mara:** "It is marzipan."': ALL,
    "Tom: “Well?”\nMara: “It is marzipan.”": ALL,
    '"It is marzipan," mutters Mara.': {"mara"},
    # near misses: nobody is named who says it
    '"It is marzipan." Mara\'s coat is wet.': {"ann"},
    '"It is marzipan." The voice is flat.': {"ann"},
    'The label: "It is marzipan."': {"ann"},
    'Mara mutters. "It is marzipan," says Tom.': ALL,
}


@pytest.mark.parametrize(("prose", "who"), BY_WHOM.items())
def test_who_says_it(prose, who):
    assert knowing(played(prose), "arzipan") == who
