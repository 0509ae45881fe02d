"""Parts that are named alone, and what they are parts of: the hilt is of the sword just drawn."""

from __future__ import annotations

_BLADES = "knife sword dagger axe razor sabre cutlass rapier penknife machete scythe sickle cleaver"
_GUNS = "gun pistol rifle revolver musket shotgun"
_VEHICLES = "car truck van lorry bus taxi jeep automobile motorcycle motorbike coach"
_SHIPS = "ship boat schooner sloop yacht brig frigate barge ferry cutter vessel trawler"
_BOOKS = "book ledger diary notebook atlas bible journal novel album dictionary logbook"
_PAPERS = "letter note paper envelope contract map photograph postcard card page parchment scroll"
_DOORS = "door gate chest box cupboard desk window safe trunk locker cabinet hatch wardrobe drawer"
_VESSELS = "cup mug glass bowl bucket pot kettle jug vase goblet teapot pan basin jar dish plate"
_LIGHTS = "lamp candle lantern torch"
_PHONES = "phone telephone"
_SCREENS = "phone tablet laptop computer television monitor terminal console radio scanner"
_BAGS = "bag satchel suitcase case briefcase handbag backpack rucksack purse trolley"
_STRUNG = "fiddle violin guitar cello harp lute banjo bow"
_CLOCKS = "clock watch pocketwatch"
_CLOTHES = (
    "coat jacket overcoat raincoat cloak dress shirt blouse robe gown cardigan waistcoat apron"
)
_SEATS = "chair armchair sofa stool throne bench"

_TABLE = {
    "blade hilt pommel scabbard sheath crossguard": _BLADES,
    "edge tip point": _BLADES,
    "trigger barrel muzzle hammer chamber stock": _GUNS,
    "engine headlight bonnet windscreen windshield dashboard bumper tyre tire exhaust pedal "
    "ignition accelerator wiper": _VEHICLES,
    "mast hull rudder keel helm rigging bow stern deck sail foremast mainsail": _SHIPS,
    "page cover spine margin binding": _BOOKS,
    "watermark signature seal fold crease postmark stamp handwriting": _PAPERS,
    "lock hinge bolt latch knob keyhole doorknob catch hasp panel spyhole": _DOORS,
    "rim spout lip neck foot base": f"{_VESSELS} bottle flask decanter pitcher tankard urn",
    "wick chimney": _LIGHTS,
    "receiver dial cord": _PHONES,
    "screen keyboard display": _SCREENS,
    "strap buckle zip flap clasp": _BAGS,
    "string fingerboard bridge": _STRUNG,
    "hand dial pendulum": _CLOCKS,
    "seat back armrest cushion": _SEATS,
    "handle": f"{_DOORS} {_VESSELS} {_BLADES} {_BAGS} hammer spade broom pump brush",
    "spindle hub spoke": "wheel",
    "needle": "compass gauge syringe",
    "brim crown": "hat",
    "sole heel lace toe toecap": "boot shoe slipper sandal",
    "pocket sleeve lapel collar cuff hem lining button": _CLOTHES,
    "face": f"{_CLOCKS} clock",
    "lens": "glasses spectacles telescope camera binoculars",
}


def _wholes() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for parts, wholes in _TABLE.items():
        for part in parts.split():
            found.setdefault(part, set()).update(wholes.split())
    return {part: frozenset(wholes) for part, wholes in found.items()}


WHOLES = _wholes()
