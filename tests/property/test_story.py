"""Laws of the author's files: a valid story is accepted and comes back as it was."""

import jsonschema
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from storykeeper.story.reading import read_files
from storykeeper.story.schema import schemas
from storykeeper.story.writer import write_story
from strategies.faults_in_stories import SHAPES, faults
from strategies.stories import stories
from strategies.taken_apart import Trees

# A whole story takes minutes to shrink; the blob that is printed brings it back as it was.
WHOLE = settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
CASES = settings().max_examples


def read(files):
    return read_files([(name, _bytes(text)) for name, text in files.items()])


def _bytes(text):
    return text if isinstance(text, bytes) else text.encode()


@settings(WHOLE, max_examples=CASES // 2 if CASES < 1_000 else CASES)
@given(stories())
def test_every_valid_story_is_accepted_and_round_trips(story):
    reading = read(write_story(story))
    assert [str(problem) for problem in reading.errors] == []
    assert reading.story == story


@settings(WHOLE, max_examples=CASES // 8)
@given(stories(), st.randoms(use_true_random=False))
def test_every_single_fault_is_reported_with_its_file_and_line(story, random):
    for fault in faults(story, random):
        reading = read(fault.files)
        hits = [p for p in reading.errors if p.code in fault.codes]
        places = [(p.file, p.line) for p in hits]
        assert (fault.file, fault.line) in places, (
            f"{fault.name}: {fault.codes} expected at {fault.file}:{fault.line}, found "
            + "; ".join(map(str, reading.errors[:5]))
            + f"\n{fault.files[fault.file]}"
        )
        assert reading.story is None


VALIDATORS = {name: jsonschema.Draft202012Validator(schema) for name, schema in schemas().items()}


def fits_schema(trees):
    """Whether every file of a story taken apart is what its schema says."""
    kinds = [("story.schema.json", trees.trees["story"])]
    kinds += [("sections.schema.json", t) for name, t in trees.trees.items() if name != "story"]
    kinds += [("scene.schema.json", head) for head in trees.heads.values()]
    return all(VALIDATORS[name].is_valid(tree) for name, tree in kinds)


@settings(WHOLE, max_examples=CASES // 8)
@given(stories(), st.randoms(use_true_random=False))
def test_the_schema_accepts_valid_stories_and_refuses_faults_of_shape(story, random):
    assert fits_schema(Trees(story))
    for spoil in SHAPES:
        trees = Trees(story)
        fault = spoil(trees, random)
        assert not fits_schema(trees), fault.name
