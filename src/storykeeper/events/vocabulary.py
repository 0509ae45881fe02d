"""Words that records and the author's files share, and the base of everything that is recorded."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from storykeeper.units import Digest

# A person's own words, or words made from them. These fields, and no others, are blanked when
# somebody asks for their text to be erased; everything else in a record is structure.
Text = Annotated[str, Meta(extra={"erasable": True})]
# A hash of words: whoever has the rest could test a guess at them against it, so it goes with them.
Trace = Annotated[Digest, Meta(extra={"erasable": True})]


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Base of what stands inside a record: values without cycles, so the collector leaves them be.

    What is empty is not written, and only emptiness may be a default (a test sees to it): bytes
    written today then mean the same for good, whatever later versions add.
    """


class Dimension(StrEnum):
    """One measure of how somebody stands toward somebody else."""

    RELIABILITY = "reliability"  # the three kinds of trust …
    COMPETENCE = "competence"
    BENEVOLENCE = "benevolence"
    AFFECTION = "affection"
    DEBT = "debt"


class Awareness(StrEnum):
    """How far somebody knows what they feel."""

    ARTICULATE = "articulate"  # could say it
    RECOGNISABLE = "recognisable"  # would know it if it were named
    PRECONSCIOUS = "preconscious"  # it colours things
    DEFENDED = "defended"  # shown as behaviour only
    STRUCTURAL = "structural"  # it is how they are made


class Grade(StrEnum):
    """What came of something that was tried."""

    SUCCESS = "success"
    PARTIAL = "partial"
    OPENING = "opening"  # it failed, and something better came of it
    FAILURE = "failure"


class Tier(StrEnum):
    """How much of a thing there is: from words in passing to a thing the story keeps."""

    MENTIONED = "mentioned"
    REFERENCED = "referenced"
    TRACKED = "tracked"
    PERSISTENT = "persistent"


class Sort(StrEnum):
    """What sort of thing something is."""

    PERSON = "person"
    GROUP = "group"  # a crew, the company
    ANIMAL = "animal"
    THING = "thing"  # what can be held, opened, broken, looked at
    PLACE = "place"
    PART = "part"  # of a body or of a thing: her hand, the chip in it
    MATTER = "matter"  # water, smoke, light: about, but not a thing
    TIME = "time"
    ABSTRACT = "abstract"  # silence, an idea, a pause
    UNKNOWN = "unknown"


class Gender(StrEnum):
    """What pronoun fits."""

    SHE = "she"
    HE = "he"
    IT = "it"
    THEY = "they"
    UNKNOWN = ""


WAYS = (
    "saw", "heard", "told", "inferred", "read", "dreamed", "remembered", "lived", "imagined",
    "authored", "revealed",
)  # fmt: skip
How = Annotated[
    str, Meta(pattern=rf"^({'|'.join(WAYS)})( by [a-z][a-z0-9-]*)?$", max_length=80)
]  # how something was learned: "saw", or "told by mara"
