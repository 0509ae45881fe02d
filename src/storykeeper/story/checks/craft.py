"""What is allowed but probably a slip: hints that give it away, themes misspelt, people unused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from storykeeper.story.conditions import Authored
from storykeeper.story.model import Story
from storykeeper.story.preamble import hard_parts, hard_text
from storykeeper.story.problems import Path, Problem, Severity, nearest
from storykeeper.story.scenes import Withheld

_ALIKE = 0.8  # of the hint's words stand in the full text in the same order, three at a time
_FEW_WORDS = 5  # a shorter hint says too little to be compared
FELT_FROM = 0.3  # a mass that is felt from afar


def check_craft(structs: list[tuple[Path, Authored]], story: Story) -> Iterator[Problem]:
    """Warnings about how the story is written."""
    yield from _hints(story)
    yield from _themes(structs, story)
    yield from _unused(story)


def check_hard_share(story: Story, count_tokens: Callable[[str], int]) -> Iterator[Problem]:
    """I1 must fit its share of the window: τ(I1) ≤ α1·τ, or the story does not load."""
    room = int(story.budget.hard_share * story.budget.tokens + 1e-9)
    used = count_tokens(hard_text(story))
    if used <= room:
        return
    sizes = {key: count_tokens(text) for key, text in hard_parts(story)}
    largest = max(sizes, key=lambda key: sizes[key])
    what = f"voice, rules and anti-patterns take {used} tokens, {used - room} more than the {room}"
    what += f" that hard_share {story.budget.hard_share:g} of {story.budget.tokens} allows"
    fix = f"shorten `{largest}`, the largest with {sizes[largest]}, or raise budget.hard_share"
    yield Problem(code="hard-share", what=what, fix=fix, path=(largest,))


def _hints(story: Story) -> Iterator[Problem]:
    for i, fact in enumerate(story.facts):
        if fact.secret and not fact.hint.strip():
            what = f"the secret `{fact.id}` has no hint, so one who suspects it can be told nothing"
            yield _warning("no-hint", ("facts", i), what, "add `hint: …`")
        elif fact.hint and _gives_away(hint=fact.hint, full=fact.full):
            what = f"the hint of `{fact.id}` says what its full text says"
            fix = "a hint is not a shortened full: write what may be said to one who suspects"
            yield _warning("hint-tells", ("facts", i, "hint"), what, fix)


def _gives_away(*, hint: str, full: str) -> bool:
    said, whole = _words(hint), _words(full)
    if " ".join(whole) and " ".join(whole) in " ".join(said):
        return True
    if len(said) < _FEW_WORDS:
        return False
    runs = [tuple(said[i : i + 3]) for i in range(len(said) - 2)]
    there = {tuple(whole[i : i + 3]) for i in range(len(whole) - 2)}
    return sum(run in there for run in runs) / len(runs) >= _ALIKE


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _themes(structs: list[tuple[Path, Authored]], story: Story) -> Iterator[Problem]:
    """A theme that the lexicon lacks, but that is nearly one it has."""
    lexicon = set(story.themes)
    for others in story.themes.values():
        lexicon.update(others)
    reported: set[str] = set()
    for path, struct in structs:
        themes = getattr(struct, "themes", ())
        if not lexicon or not isinstance(themes, tuple):
            continue
        for i, theme in enumerate(themes):
            if theme in lexicon or theme in reported:
                continue
            reported.add(theme)
            near = nearest(theme, lexicon)
            if near and _nearly(theme, near):
                what = f"the theme `{theme}` is not in the lexicon, but `{near}` is"
                fix = f"write `{near}`, or add `{theme}` to `themes`"
                yield _warning("theme", (*path, "themes", i), what, fix)


def _nearly(a: str, b: str) -> bool:
    """One slip of the pen apart: a letter more, less or other, or two swapped."""
    if abs(len(a) - len(b)) > 1 or min(len(a), len(b)) < 4:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    a, b = a[start:], b[start:]
    swapped = len(a) == len(b) > 1 and a[0] == b[1] and a[1] == b[0] and a[2:] == b[2:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or swapped


def _unused(story: Story) -> Iterator[Problem]:
    seen = {who for scene in story.scenes for who in (*scene.cast.required, *scene.cast.contingent)}
    seen.update(story.players)
    for i, character in enumerate(story.cast):
        if character.id not in seen:
            what = f"`{character.id}` is in the cast of no scene"
            fix = "name them under `cast` in the scenes where they are or may be"
            yield _warning("no-scene", ("cast", i, "id"), what, fix)


def _warning(code: str, path: Path, what: str, fix: str) -> Problem:
    return Problem(code=code, what=what, fix=fix, path=path, severity=Severity.WARNING)


def check_images(story: Story) -> Iterator[Problem]:
    """One note, if scenes that pull have no images: from afar nothing could be said of them."""
    bare = [
        place
        for place, scene in enumerate(story.scenes)
        if scene.mass >= FELT_FROM
        and Withheld.IMAGES not in scene.withheld
        and not (scene.images.distant or scene.images.approaching or scene.images.imminent)
    ]
    if bare:
        scenes = "1 scene has" if len(bare) == 1 else f"{len(bare)} scenes have"
        what = f"{scenes} a mass of {FELT_FROM} or more and no `images`: this is the first"
        fix = "say what is seen or heard of it before it comes; without, it is felt only when near"
        place = ("scenes", bare[0])
        yield Problem(code="images", what=what, fix=fix, path=place, severity=Severity.NOTE)
