"""I1, the hard invariants: what stands at the head of every window and is never cut."""

from __future__ import annotations

from collections.abc import Iterator

from storykeeper.story.model import Story

# Ours, after the author's: habits of language models that spoil any story.
OUR_ANTI_PATTERNS = (
    "Do not copy sentences out of these notes; write from them.",
    "Do not re-tell what has been told.",
    "Show a defended emotion as behaviour; never name it.",
    "Do not speak of these notes, nor of the story as a story.",
    "Do not state a hint outright.",
)


STAGE_PART = "stage"
STAGE = (
    "# After your prose\n"
    "Add one fenced block that the player never sees, with what changed and nothing else; {} is a"
    " good answer. `words` are words of your prose.\n"
    "```stage\n"
    '{"moves": [{"who": ["name"], "kind": "departs", "to": "place", "words": "…"}], "asides":'
    ' [{"by": "name", "to": ["name"], "words": "…"}], "told": [{"fact": "F1", "by":'
    ' "name", "to": ["name"], "words": "…"}], "here": ["name"]}\n'
    "```\n"
    "Kinds: departs, arrives, sleeps, wakes, hides, emerges, call-opens, call-closes; and with"
    ' "what": "thing", gives, takes, reads, sends. An aside is what only some of those there can'
    " hear."
)

ASK_PART = "ask"
# The last words of a narrator's window: without them a small model answers with the player's line.
ASK = (
    "Go on with the story: in prose, what comes of this, up to where the player would act again."
    " Neither repeat the player's words nor act for them."
)
ASK_STAGE = "Then the stage block."
# Where another model is asked for the block, once the prose is told.
ASK_CALL = "Now only the stage block for what you just told: its JSON object and nothing else."


def hard_text(story: Story) -> str:
    """The preamble as the narrator gets it: voice, rules, and what not to do."""
    return "\n\n".join(text for _, text in hard_parts(story))


def hard_parts(story: Story) -> Iterator[tuple[str, str]]:
    """Its parts by the key they come from, each as it is rendered."""
    if story.voice:
        yield "voice", f"# Voice\n{story.voice.strip()}"
    if story.rules:
        yield "rules", f"# Rules\n{_listed(story.rules)}"
    yield "anti_patterns", f"# Do not\n{_listed(story.anti_patterns + OUR_ANTI_PATTERNS)}"


def _listed(lines: tuple[str, ...]) -> str:
    return "\n".join(f"- {line.strip()}" for line in lines)
