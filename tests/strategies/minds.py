"""A kitchen where people have minds: Mara keeps a key, Pell knows of it, Tobit wants the lamp out.

Coyle is played. What each knows, wants and shows stands in the story, as an author writes it.
"""

from functools import cache

from storykeeper.engine import Engine
from storykeeper.story.adopt import adoption
from storykeeper.story.model import Story
from storykeeper.story.reading import read_files
from storykeeper.units import MAIN
from strategies.ledgers import memory_ledger
from strategies.parlour import READER

SECRET = "Mara hid the brass key in the oat crock before anybody came."
LIE = "The brass key went into the ground with Abel."
BOAT = "Tobit sold the tan boat to a dealer in Stell on Monday."
WILL = "Abel left the whole island to a boy called Wil."
COAT = "The coat would fit a child of six."
LINE = "hand goes to the lid of the crock and stops"
TEXT = f"""
format: 1
id: kitchen
title: The kitchen
players: [coyle]
start: supper
voice: Plain.
cast:
  - {{id: coyle, name: Coyle, line: A clerk., at: kitchen,
     scope: {{entities: [key]}}}}
  - id: mara
    name: Mara Rudd
    aliases: [Mara]
    pronouns: she/her
    line: Keeps the light.
    at: kitchen
    taboos: [Never sells the lens.]
    goals:
      - {{text: Keep the key., weight: 0.9, against: [key-in-crock], until: {{happened: storm}}}}
      - {{text: Keep the lamp lit., weight: 0.6, by: [lamp-lit]}}
    capabilities: [lights lamps]
    relations: [{{to: tobit, affection: -0.4}}]
    shows:
      - {{text: Mara squares the knives to the edge of the table., every: 5}}
      - {{text: Mara counts under her breath., about: [lamp]}}
    tells:
      - fact: key-in-crock
        when:
          did: {{who: player, act: ask, to: mara, about: key}}
          any: [{{happened: storm}}, {{happened: letter-read}}]
        weight: 0.7
      - fact: key-lost
        when: {{did: {{who: player, act: ask, to: mara, about: key}}, happened: letter-read}}
        weight: 0.2
    does:
      - happens: lamp-lit
        when: {{happened: storm}}
        text: Mara reaches for the matches.
        takes: lights lamps
        with: matches
        chance: 0.5
        partly: lamp-smokes
        fails: matches-fall
  - id: pell
    name: Pell Rudd
    aliases: [Pell]
    pronouns: she/her
    line: Nearly blind.
    at: kitchen
    mood: {{determination: 0.9}}
    tells:
      - fact: coat-small
        when: {{did: {{who: player, act: look, to: coat}}}}
        to: [present]
    does:
      - {{happens: matches-taken, when: {{happened: storm}}, text: Pell puts out a hand.}}
  - id: tobit
    name: Tobit Orme
    aliases: [Tobit]
    pronouns: he/him
    line: Carries.
    at: yard
settings:
  - {{id: kitchen, name: the kitchen, paths: [{{to: yard}}]}}
  - {{id: yard, name: the yard}}
things:
  - {{id: key, name: the brass key, aliases: [the key], at: kitchen, hidden: true}}
  - {{id: crock, name: the oat crock, aliases: [the crock], at: kitchen}}
  - {{id: lamp, name: the lamp, at: kitchen}}
  - {{id: coat, name: the grey coat, aliases: [the coat], at: kitchen}}
  - {{id: matches, name: the matches, held_by: mara}}
facts:
  - id: key-in-crock
    full: {SECRET}
    hint: The oats have been smoothed flat.
    secret: true
    weight: 0.8
    about: [key, crock]
    known_by: {{mara: lived, pell: heard}}
    shows:
      - {{text: "{{who}}'s {LINE}.", who: [mara], about: [crock]}}
  - {{id: key-lost, full: {LIE}, confidence: 0.1, about: [key]}}
  - {{id: coat-small, full: "{COAT}", about: [coat], known_by: {{pell: saw}}}}
  - {{id: boat-sold, full: "{BOAT}", known_by: {{tobit: lived}}}}
  - {{id: will, full: "{WILL}"}}
events:
  - {{id: storm, summary: A storm breaks., when: {{did: {{who: player, act: open, to: lamp}}}}}}
  - {{id: letter-read, summary: A letter., when: {{did: {{who: player, act: push, to: lamp}}}}}}
  - {{id: lamp-lit, summary: Mara lights the lamp.}}
  - {{id: lamp-smokes, summary: The lamp smokes.}}
  - {{id: matches-fall, summary: The matches fall.}}
  - {{id: matches-taken, summary: Pell takes the matches., gives: {{matches: pell}}}}
"""
SCENE = """---
title: Supper
setting: kitchen
revisitable: true
cast: {contingent: [mara, pell]}
---
The kettle is on.
"""


@cache
def kitchen(text: str = TEXT, scene: str = SCENE) -> Story:
    """The story; it has no errors."""
    files = {"story.yaml": text, "scenes/supper.md": scene}
    reading = read_files([(name, body.encode()) for name, body in files.items()])
    assert not reading.errors, [str(p) for p in reading.errors]
    assert reading.story is not None
    return reading.story


def engine(story: Story | None = None) -> Engine:
    """A run in memory, begun and told."""
    ledger = memory_ledger()
    ledger.begin(MAIN, [adoption(kitchen() if story is None else story)])
    keeper = Engine(ledger, MAIN, reader=READER)
    keeper.render(keeper.opening(), "The kettle is on.")
    return keeper


def take(keeper: Engine, line: str, prose: str = "The kettle ticks."):
    """A turn, told."""
    turn = keeper.begin(line)
    keeper.render(turn, prose)
    return turn
