"""Plain talk is heard by all who are there, whatever else its sentence tells; what is said low or
to oneself is not.
"""

import pytest

from unit.engine.test_not_for_all import ALL, knowing, played

US = {"ann", "mara"}

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
