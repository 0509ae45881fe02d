"""Other nouns for one thing: the weapon is the sword just drawn, the photo the photograph.

From what may be said later to what it may have been called before. A wider word takes up a
narrower one, and where both are as wide, either the other; a narrower one begins a thing of its
own.
"""

from __future__ import annotations

# Each word of a row may stand for any other.
_SAME = (
    "photograph photo picture snapshot polaroid",
    "painting picture portrait canvas",
    "phone telephone mobile cellphone smartphone handset",
    "couch sofa settee",
    "rug carpet",
    "parcel package packet",
    "torch flashlight",
    "lantern lamp light",
    "boat ship vessel",
    "car automobile motor",
    "truck lorry",
    "bag sack",
    "backpack rucksack knapsack",
    "pistol gun handgun revolver sidearm firearm",
    "rifle gun musket shotgun firearm",
    "knife blade dagger",
    "sword blade",
    "suitcase case",
    "briefcase case",
    "curtain drape",
    "map chart",
    "ledger book register",
    "notebook book journal diary",
    "letter note",
    "stub ticket",
    "counter bar",
    "laptop computer",
    "spectacles glasses",
    "trousers pants",
    "jumper sweater pullover",
    "fridge refrigerator",
    "television tv",
    "bin dustbin",
    "mirror looking-glass",
    "necklace chain pendant",
    "staff stick cane",
    "scroll parchment",
    "tome book volume",
    "stove oven cooker",
    "cup mug",
    "goblet chalice cup",
    "bottle flask",
    "robot droid android",
)  # fmt: skip
# The first word may stand for any that follows.
_WIDER = (
    "weapon sword knife dagger axe gun pistol rifle revolver spear mace club bow crossbow blade",
    "stone ruby diamond emerald gem jewel pearl sapphire opal crystal amethyst",
    "gem ruby diamond emerald sapphire opal",
    "jewel ruby diamond emerald sapphire opal pearl gem",
    "garment coat jacket dress shirt robe cloak gown cardigan",
    "coat overcoat raincoat jacket trenchcoat",
    "vehicle car truck van lorry bus jeep taxi cart",
    "ship schooner brig frigate sloop galleon ferry freighter",
    "boat dinghy skiff canoe ferry rowboat launch yacht sloop",
    "vessel cup bowl jug goblet flask vase urn chalice",
    "book novel diary bible atlas dictionary album grimoire journal notebook ledger",
    "paper letter note document page sheet map contract form receipt newspaper list",
    "document contract passport licence certificate form letter",
    "page letter note sheet",
    "box chest casket crate tin case carton trunk",
    "container box jar tin crate flask barrel",
    "bag satchel backpack handbag rucksack suitcase pouch purse",
    "device phone scanner tablet machine radio gadget box",
    "machine computer engine printer typewriter loom robot",
    "instrument fiddle violin guitar lute flute piano trumpet trombone",
    "tool hammer chisel wrench saw screwdriver crowbar",
    "drink coffee tea beer ale wine whisky cocoa brandy rum cider",
    "coin penny shilling guinea",
    "seat chair armchair stool bench sofa",
    "chair armchair",
    "light lamp lantern candle torch",
    "flower rose lily tulip daisy",
    "hat cap bonnet fedora beret",
    "shoe boot slipper sandal",
    "plant fern cactus",
    "toy doll bear ball kite",
    "jar vial phial bottle",
    "glass tumbler goblet wineglass",
    "suit spacesuit uniform",
    "band ring bracelet",
    "blade knife sword dagger axe sabre razor",
    "cloth rag scarf shawl towel tapestry",
    "stick cane staff crutch",
    "card postcard ticket invitation",
    "screen monitor tablet television",
    "door hatch gate",
)


def _kin() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in _SAME:
        for word in row.split():
            found.setdefault(word, set()).update(row.split())
    for row in _WIDER:
        first, *narrower = row.split()
        found.setdefault(first, set()).update(narrower)
    return {word: frozenset(others - {word}) for word, others in found.items()}


KIN = _kin()
