"""The words of the calendar."""

from __future__ import annotations

from storykeeper.language.time.lexer import CARDINALS, ORDINALS, listed
from storykeeper.language.time.values import Side, Unit, Which

_MONTHS = listed(
    "january february march april may june july august september october november december"
)
MONTHS = {name: n for n, name in enumerate(_MONTHS, start=1)}
MONTHS |= {name[:3]: n for name, n in MONTHS.items()} | {"sept": 9}
PLAIN_MONTHS = frozenset(("july", "september", "october", "november", "december", "february"))

_DAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
WEEKDAYS = {name: n for n, name in enumerate(_DAYS)}
WEEKDAYS |= {name + "s": n for name, n in list(WEEKDAYS.items())}
WEEKDAYS |= {"tues": 1, "thurs": 3}

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # the first month

# In minutes of the day. A morning begins at midnight: at three, "this morning" is the hours since.
PARTS = {
    "morning": (0, 720),
    "dawn": (240, 480),
    "daybreak": (240, 480),
    "sunrise": (240, 480),
    "noon": (690, 780),
    "midday": (690, 780),
    "lunchtime": (690, 840),
    "afternoon": (720, 1080),
    "dusk": (1020, 1260),
    "sunset": (1020, 1260),
    "twilight": (1020, 1260),
    "nightfall": (1020, 1260),
    "evening": (1020, 1440),
    "night": (1080, 1800),  # into the hours after midnight
    "midnight": (1410, 1470),
}

UNITS = {
    "second": Unit.SECOND,
    "minute": Unit.MINUTE,
    "hour": Unit.HOUR,
    "day": Unit.DAY,
    "night": Unit.DAY,
    "weekend": Unit.WEEKEND,
    "week": Unit.WEEK,
    "month": Unit.MONTH,
    "year": Unit.YEAR,
    "decade": Unit.DECADE,
}
UNITS |= {name + "s": unit for name, unit in list(UNITS.items())}
UNITS |= {"century": Unit.CENTURY, "centuries": Unit.CENTURY}
FORTNIGHTS = ("fortnight", "fortnights")

SESSIONS = frozenset(
    listed(
        "session sessions discussion discussions conversation conversations chat chats talk "
        "talks sitting sittings"
    )
)
OUR_SESSIONS = SESSIONS | {"meeting", "meetings", "call", "calls"}  # only if they are ours
SCENES = frozenset(("scene", "scenes"))
TURNS = frozenset(listed("turn turns message messages reply replies"))

WHICH = {
    "last": Which.LAST,
    "past": Which.LAST,
    "previous": Which.LAST,
    "this": Which.THIS,
    "current": Which.THIS,
    "next": Which.NEXT,
    "coming": Which.NEXT,
    "following": Which.NEXT,
}
THIRDS = {
    "early": 0,
    "beginning": 0,
    "start": 0,
    "mid": 1,
    "middle": 1,
    "late": 2,
    "end": 2,
}

SIDES = {
    "before": Side.BEFORE,
    "after": Side.AFTER,
    "since": Side.SINCE,
    "until": Side.UNTIL,
    "till": Side.UNTIL,
    "by": Side.UNTIL,
    "during": Side.DURING,
    "following": Side.AFTER,
}

HOLIDAYS = {
    ("christmas", "eve"): "Christmas Eve",
    ("christmas", "day"): "Christmas Day",
    ("christmas",): "Christmas",
    ("xmas",): "Christmas",
    ("boxing", "day"): "Boxing Day",
    ("new", "year", "eve"): "New Year’s Eve",
    ("new", "years", "eve"): "New Year’s Eve",
    ("new", "year", "day"): "New Year’s Day",
    ("new", "years", "day"): "New Year’s Day",
    ("valentine", "day"): "Valentine’s Day",
    ("valentines", "day"): "Valentine’s Day",
    ("halloween",): "Halloween",
    ("easter",): "Easter",
    ("thanksgiving",): "Thanksgiving",
    ("independence", "day"): "Independence Day",
    ("fourth", "of", "july"): "Independence Day",
}

ARTICLES = frozenset(listed("the our my your those these"))
STARTERS = (
    frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(SEASONS)
    | frozenset(PARTS)
    | frozenset(UNITS)
    | frozenset(FORTNIGHTS)
    | OUR_SESSIONS
    | SCENES
    | TURNS
    | frozenset(WHICH)
    | frozenset(THIRDS)
    | frozenset(SIDES)
    | frozenset(name[0] for name in HOLIDAYS)
    | frozenset(CARDINALS)
    | frozenset(ORDINALS)
    | frozenset(
        listed(
            "between from earlier yesterday today tomorrow tonight half quarter other very "
            "penultimate few several couple dozen a an one that"
        )
    )
)
