"""Low voices told before or after the words, and answers to them: who hears what is said."""

import pytest

from unit.engine.test_not_for_all import ALL, ROOM, knowing, played

US = {"ann", "mara"}
THEM = {"mara", "tom"}

LOW = {
    # told before the words
    'Mara lowers her voice. "It is marzipan."': US,
    'Mara lowers her voice. "It is marzipan," she says.': US,
    'Mara lowered her voice. "It was marzipan," she said to Tom.': THEM,
    'Mara drops her voice.\n\n"It is marzipan."': US,
    'Her voice drops. "It is marzipan," Mara says.': US,
    'Mara\'s voice sank to a whisper. "It was marzipan."': US,
    'Mara glances at Zed and lowers her voice. "It is marzipan."': US,
    'Mara leans close to your ear. "It is marzipan."': US,
    'Mara leans close to Tom\'s ear. "It is marzipan."': THEM,
    'Mara bends to Tom\'s ear and says, "It is marzipan."': THEM,
    'Mara leans over to Tom. "It is marzipan," she says.': THEM,
    'Mara puts her lips to your ear. "It is marzipan."': US,
    'Mara leans in close. "It is marzipan."': US,
    'Mara leaned in, eyes on the door. "It was marzipan," she said.': US,
    'Mara speaks under her breath. "It is marzipan."': US,
    'Mara keeps her voice down. "It is marzipan."': US,
    'Mara begins to whisper. "It is marzipan."': US,
    'Mara whispers to Tom. "It is marzipan."': THEM,
    'Mara speaks so that only you can hear. "It is marzipan."': US,
    'Mara speaks so only Tom can hear. "It is marzipan."': THEM,
    'Mara confides in you. "It is marzipan."': US,
    'Mara confides to Tom, "It is marzipan."': THEM,
    'Mara gives you a conspiratorial wink. "It is marzipan."': US,
    'Mara pulls you close. "It is marzipan," she says.': US,
    'Mara drops to a murmur. "It is marzipan."': US,
    'Her voice is a thread now. "It is marzipan," says Mara.': US,
    'Mara comes so near that her breath warms your cheek. "It is marzipan."': US,
    'Mara and Tom put their heads together. "It is marzipan," says Mara.': THEM,
    'Mara tilts her head toward Tom. "It is marzipan."': THEM,
    'Mara speaks to you and no one else. "It is marzipan."': US,
    'Mara waits until the others are out of earshot. "It is marzipan."': US,
    # told after them
    '"It is marzipan," says Mara, so low that you barely catch it.': US,
    '"It is marzipan," says Mara, no louder than a breath.': US,
    '"It is marzipan," says Mara. Tom does not hear.': US,
    '"It is marzipan." Her voice is barely audible.': {"ann"},
    '"It is marzipan," says Mara. Her voice is barely audible.': US,
    '"It is marzipan," says Mara. It is hardly more than a breath.': US,
    '"It is marzipan," says Mara, lowering her voice.': US,
    '"It is marzipan," says Mara, leaning close to Tom.': THEM,
    '"It is marzipan," Mara says. Nobody else hears.': US,
    '"It is marzipan," Mara says. Only Tom hears her.': THEM,
    '"It is marzipan," Mara says. Her words do not carry.': US,
    '"It is marzipan," Mara says, in a voice meant for you alone.': US,
    # as low as before
    'Mara lowers her voice. "Well," she says. "It is marzipan," she adds.': US,
    'Mara lowers her voice. "Well."\n\n"It is marzipan," she says.': US,
    '"Well?" says Zed. Mara lowers her voice. "It is marzipan," she says to Tom.': THEM,
}

ANSWERS = {
    'Mara whispers to Tom, "What is it?"\n\n"It is marzipan."': THEM,
    'Mara whispers to Tom, "What is it?" "It is marzipan."': THEM,
    '"Good evening," says Zed.\n\n"What is it?" Mara whispers to Tom.\n\n"It is marzipan."': THEM,
    '"What is it?" Mara whispers to Tom. "It is marzipan," says Tom.': THEM,
    '"What is it?" Mara whispers to you. "It is marzipan," you answer.': US,
    'Mara leans to Tom\'s ear. "What is it?"\n\n"It is marzipan."': THEM,
    'Mara lowers her voice. "What is it?"\n\n"It is marzipan," you say.': US,
    '"A?" Mara whispers to Tom. "B," says Tom. "It is marzipan."': THEM,
}

ALOUD = {
    'Mara lowers her cup. "It is marzipan," she says.': ALL,
    'Mara lowers the lamp. "It is marzipan."': ALL,
    'Mara drops her bag. "It is marzipan."': ALL,
    'Mara does not lower her voice. "It is marzipan."': ALL,
    'Without lowering her voice Mara says, "It is marzipan."': ALL,
    'Mara leans close to the fire. "It is marzipan," she says.': ALL,
    'Mara leans against the wall. "It is marzipan."': ALL,
    'Mara leans forward. "It is marzipan."': ALL,
    'Mara bends to the lock. "It is marzipan."': ALL,
    'Mara puts a hand to her ear. "It is marzipan."': ALL,
    'Mara tucks a pencil behind her ear. "It is marzipan."': ALL,
    'Mara is confident. "It is marzipan."': ALL,
    'Mara lowers her voice. "It is marzipan," says Tom.': ALL,
    'The wind whispers in the reeds. "It is marzipan," says Mara.': ALL,
    'Mara lowers her voice. "Well," she says. She raises her voice. "It is marzipan!"': ALL,
    'Mara leans to Tom\'s ear. "Well?" Then she straightens. "It is marzipan," she says.': ALL,
    'Mara lowers her voice. "Well."\n\n"It is marzipan!" she shouts.': ALL,
    '"Well?" Mara whispers to Tom. "It is marzipan," Tom says aloud.': ALL,
    '"Well?" Mara whispers to Tom. "It is marzipan," says Zed.': ALL,
    '"Well?" Mara whispers to Tom. Zed laughs. "It is marzipan!"': ALL,
    '"Well?" Mara whispers to Tom. "Zed, it is marzipan," says Tom.': ALL,
    '"Well?" Mara whispers to Tom. "It is marzipan," Tom tells Zed.': ALL,
    '"It is marzipan," says Mara. She lowers her voice. "Well?"': ALL,
    '"It is marzipan," says Mara. Tom lowers his voice. "Well?"': ALL,
    '"It is marzipan," says Mara. Tom leans to Zed\'s ear.': ALL,
    'Mara has a deep voice. "It is marzipan."': ALL,
    'The sea is barely audible. "It is marzipan," says Mara.': ALL,
    'Tom asks Mara to lower her voice. "It is marzipan!" she says.': ALL,
    '"It is marzipan," says Mara. Tom does not hear the rain.': ALL,
    '"It is marzipan," says Mara, louder than before.': ALL,
    'Mara drops her eyes. "It is marzipan."': ALL,
    'Mara tilts her head toward the window. "It is marzipan."': ALL,
    'Mara sinks into a chair. "It is marzipan."': ALL,
    'Mara hears a whisper. "It is marzipan," she says.': ALL,
    'A murmur runs through the crowd. "It is marzipan," says Mara.': ALL,
    'Mara is barely awake. "It is marzipan," she says.': ALL,
    'Mara speaks softly. "It is marzipan."': ROOM,
    'Her voice is soft. "It is marzipan," says Mara.': ROOM,
}


@pytest.mark.parametrize(("prose", "who"), (LOW | ANSWERS | ALOUD).items())
def test_who_hears(prose, who):
    assert knowing(played(prose), "arzipan") == who
