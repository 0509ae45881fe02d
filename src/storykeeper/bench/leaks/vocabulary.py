"""Words that secrets are made of: canaries that are in no language, and content words used once.

A secret is said twice: once with its canary, and once in other words, without it. Both say the same
content words, which no other text of the story has; so either can be known again where it should
not be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NOUNS = _listed(
    """anvil apron barrel basket beacon beetle blanket bonnet bottle bracelet bridge broom bucket
    button cabbage candle canoe carpet castle cellarer chapel cherry chisel cider clover cobbler
    coffin compass copper cradle cricket crown dagger diamond donkey dragon drum eagle elbow engine
    falcon fiddle flute fountain fox funnel garlic gallows glacier goblet goose granite hammer
    harbour harness hazel heron honey horseshoe icicle ink island ivory jacket jewel juniper kettle
    kite ladder lantern leather lemon lighthouse lizard locket mantle marble market meadow medal
    mill mirror mitten monastery mushroom nail needle nettle oar olive onion orchard otter oven owl
    oyster paddle parrot pearl pepper pewter pilgrim pillow pistol plough poppy pulpit quarry quilt
    rabbit raft razor ribbon river rooster rope rudder saddle salmon sandal sapphire satchel scarf
    shepherd shovel shrine sickle silver skeleton sparrow spindle spoon squirrel stallion sword
    tailor tavern teapot thimble thistle throne trumpet turnip tusk velvet vinegar violin walnut
    weasel whale whistle willow wool wrench yarrow zinc
    abbey acorn almond amber ankle antler apricot badger bagpipe bakery balcony bamboo banjo barley
    basin beaver bishop blossom boulder brandy bramble brick butcher cactus camel canal caravan
    carrot cedar chain chalk chimney cinnamon cork cottage crab crane cucumber dairy daisy dove
    duck earring easel fern ferry fig flask forge ginger glove gravel hare hatchet hive
    hoof jar kennel lace lark lobster magpie mast moth mustard oat obelisk pail peacock pebble
    plum pond pumpkin raven reed sail spade tar tulip urn vine wagon wasp wheat
    aspen awl axle bacon barge bell birch blade bonfire broth buckle buffalo bugle cabin cello
    cheese clam cloak comet coral crayon cushion dune elm emerald fawn flint gander garnet
    goat gong grape gull harp helmet hornet ivy jade javelin kiln lavender lily lute maple melon
    minnow mole nutmeg oboe opal orchid pansy parsnip pelican pigeon plank quill radish rye sable
    sledge slate sparrowhawk stork swan tapestry thorn toad turkey turret walrus yacht"""
)
MORE_NOUNS = _listed(  # for stories that use up the others
    """albatross banister barometer bassoon bellows bobbin bodkin brooch burdock calico caraway cask
    catapult chandelier chariot chestnut chicory clarinet cormorant cowslip crucible cutlass
    dandelion dormouse ermine ferret figurine foxglove gauntlet gazelle gherkin giraffe gondola
    goldfinch gooseberry hammock hawthorn hedgehog hyacinth ibex jackdaw jasmine kayak kestrel
    kingfisher lacquer leek leopard limpet lynx macaw mallet mandolin marjoram marmot mongoose
    nightingale ocelot okra ostrich panther papyrus parasol partridge peony pheasant pistachio
    porcupine quince raccoon rhubarb sardine scallop scythe spinach tambourine tangerine trellis
    trombone truffle turquoise ukulele vole wicker wolverine zither"""
)
VERBS = _listed(
    """baked bartered borrowed broke burned buried carved copied counted drowned emptied fed forged
    gathered guarded hid hoarded inherited lost melted mended painted pawned planted pledged poured
    promised repaired ruined salted scattered sewed sharpened smuggled sold spilled stole traded
    watered weighed wove bleached boiled braided bruised carried dyed etched folded gilded knotted
    polished scorched shattered sifted stitched swapped toasted trimmed wrapped"""
)
MORE_VERBS = _listed(
    """auctioned bandaged bribed chiselled clipped crushed dented dismantled engraved exchanged
    gnawed grazed hauled imported knitted leased loaded mislaid nailed oiled patched peeled plucked
    pickled pinned punctured quarried raked rented roasted sanded scrubbed skinned smelted soaked
    squeezed stained stacked stamped stuffed tamed tarred thawed thrashed unpacked varnished"""
)
_FORMS = (  # with the canary, and the same in other words
    ("the {a} {v} the {x} {b} under the {c} beside the {d} and the {e}",
     "beside some {d}, with one {e}, below this {c}, is a {b} which that {a} {v}"),
    ("every {a} of the {x} {b} was {v} for some {c}, some {d} and some {e}",
     "for {c}, for {d} and then for {e} they {v} all of the {b}, each {a} too"),
    ("it was the {x} {a} that {v} our {b} between the {c}, the {d} and the {e}",
     "our {b}, among {e} and {d} and {c}, was {v} by none but this {a}"),
    ("no {a} {v} the {x} {b} before the {c} had its {d} or its {e}",
     "until some {d} and some {e} were with that {c}, nobody {v} any {b}, nor one {a}"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wording:
    """One secret in words."""

    canary: str
    said: str  # with the canary
    otherwise: str  # the same without it
    content: frozenset[str]
    topic: str  # two of its words: what one may ask about without having told it


class Vocabulary:
    """Hands out words, each once."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._nouns = [*MORE_NOUNS, *random.sample(NOUNS, len(NOUNS))]
        self._verbs = [*MORE_VERBS, *random.sample(VERBS, len(VERBS))]
        self._canaries: set[str] = set()

    def canary(self) -> str:
        """A word that is in no language, and that was not there before."""
        while True:
            made = "".join(self._random.choice(letters) for letters in (_CONSONANTS, _VOWELS) * 4)
            if made not in self._canaries:
                self._canaries.add(made)
                return f"{made}x"

    def noun(self) -> str:
        """A noun that nothing else has."""
        return self._nouns.pop()

    def choice(self, some: Sequence[str]) -> str:
        """One of some words."""
        return self._random.choice(some)

    def wording(self) -> Wording:
        """A secret, in two ways of saying it."""
        canary = self.canary()
        words = {letter: self.noun() for letter in "abcde"} | {"v": self._verbs.pop()}
        said, otherwise = (form.format(x=canary, **words) for form in self._random.choice(_FORMS))
        topic = f"{words['b']} and the {words['d']}"
        return Wording(canary, said, otherwise, frozenset(words.values()), topic)


def capital(text: str) -> str:
    """A text with a capital at its head."""
    return text[:1].upper() + text[1:]
