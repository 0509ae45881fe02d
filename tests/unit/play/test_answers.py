"""Who answers, called "she", in a turn whose line goes somewhere and asks there."""

from storykeeper.events import atoms as a
from strategies.parlour import engine, tell
from strategies.tables import table

ASK = "I go to the garden and ask Eve about the key."  # Eve is there; Mara and Tom stay behind


def played(line, prose):
    keeper = engine()
    tell(keeper, "Rain falls. Eve is in the garden.")
    tell(keeper, prose, line)
    keeper.end_scene()
    assert keeper.replay()
    return [r for e in keeper.ledger.read(keeper.run) if isinstance(r := e.record, a.Atom)]


def those(atom, *roles):
    return {getattr(p.entity, "entity", "") for p in atom.participants if p.role in roles}


def speaker(line, prose):
    """Who says the last words of the prose."""
    said = [
        each for each in played(line, prose)
        if isinstance(each.what, a.SpeechUttered) and each.source is a.Source.NARRATOR
    ]  # fmt: skip
    return those(said[-1], a.Role.ACTOR)


@table(
    "line, prose, who",
    [
        (ASK, "“Never saw it,” she says.", "eve"),
        (ASK, "‘Never saw it,’ she says.", "eve"),
        (ASK, "“Never saw it,” she said. She shrugged.", "eve"),
        (ASK, "She shrugs. “Never saw it.”", "eve"),
        (ASK, "Her spade stops. “Never saw it,” she says.", "eve"),
        ("I go to the garden with Mara and ask Eve about the key.", "“No,” she says.", "eve"),
        ("I nod to Mara, go to the garden and ask Eve about the key.", "“No,” she says.", "eve"),
        ("I slip off to the garden and ask Eve: “Where is it?”", "“No,” she says.", "eve"),
        ("I take Tom to the cellar and ask him about the key.", "“No,” he says.", "tom"),
        ("I go to the cellar with Tom and tell Tom about the key.", "“No,” he says.", "tom"),
        ("We go to the garden and ask Eve about the key.", "“No,” she says.", "eve"),
        ("I ask Mara about the key.", "“No,” she says.", "mara"),
        # ── and not ──
        (ASK, "“Never saw it,” he says.", ""),
        (ASK, "“Never saw it,” they say.", ""),
        (ASK, "“Never saw it,” a voice says.", ""),
        (ASK, "Mara follows you. “Never saw it,” she says.", "mara"),
        ("I go to the garden.", "“Never saw it,” she says.", ""),
        ("I go to the garden and ask Tom about the key.", "“No,” he says.", ""),  # he stayed
    ],
)
def test_who_was_asked_answers(line, prose, who):
    assert speaker(line, prose) == ({who} if who else set())


def test_what_is_asked_there_is_perceived_there_and_not_in_the_room_left():
    atoms = played(ASK, "“Never saw it,” she says.")
    asked = next(e for e in atoms if isinstance(e.what, a.ActionTaken) and e.what.act == "ask")
    answered = next(e for e in atoms if isinstance(e.what, a.SpeechUttered))
    everyone = (a.Role.ACTOR, a.Role.TARGET, a.Role.WITNESS)
    assert those(asked, *everyone) == those(answered, *everyone) == {"ann", "eve"}
