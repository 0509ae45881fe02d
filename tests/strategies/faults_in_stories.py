"""Single faults: each takes a valid story and spoils one thing in it."""

from copy import deepcopy

from msgspec import inspect as shapes

from storykeeper.story.checks.references import REFERS, Kind
from storykeeper.story.conditions import Condition
from storykeeper.story.reader import shape_of
from storykeeper.story.walk import walk, wire_names
from strategies.faults_in_files import FILES
from strategies.taken_apart import Fault, Trees, found, line_of

NOTHING = "zz-nothing"


def faults(story, random):
    """Every kind of fault that can be put into this story, one at a time."""
    for make in (*_MODEL, *_STATEMENTS, *FILES):
        fault = make(Trees(story), random)
        if fault is not None:
            yield fault
    yield from dangling(story)


# Faults against the model: any key of any struct.


def _structs(trees):
    return [(path, s) for path, s in walk(trees.story) if isinstance(trees.get(path), dict)]


def misspelt_key(trees, random):
    path, _ = random.choice([(p, s) for p, s in _structs(trees) if trees.get(p)])
    mapping = trees.get(path)
    old = random.choice([key for key in mapping if key != "format"])
    items = [(f"zz_{key}" if key == old else key, value) for key, value in mapping.items()]
    mapping.clear()
    mapping.update(items)
    return found("misspelt key", trees, (*path, f"zz_{old}"), ("unknown-key",), "key")


def missing_key(trees, random):
    choices = [
        (path, f.encode_name)
        for path, struct in _structs(trees)
        for f in shape_of(type(struct)).fields
        if f.required and f.encode_name in trees.get(path)
    ]
    path, key = random.choice(choices)
    del trees.get(path)[key]
    return found("missing key", trees, path, ("missing-key",), "node")


def _fields(trees, *kinds):
    for path, struct in _structs(trees):
        for f in shape_of(type(struct)).fields:
            shape = f.type
            if isinstance(shape, shapes.UnionType):
                shape = next(t for t in shape.types if not isinstance(t, shapes.NoneType))
            own = f.encode_name in trees.get(path)
            if isinstance(shape, kinds) and own:
                yield (*path, f.encode_name), shape


def wrong_type(trees, random):
    kinds = (shapes.StrType, shapes.VarTupleType, shapes.DictType, shapes.StructType,
             shapes.BoolType, shapes.FloatType, shapes.IntType)  # fmt: skip
    path, shape = random.choice(list(_fields(trees, *kinds)))
    trees.put(path, ["zz"] if isinstance(shape, shapes.StrType) else "zz")
    return found("wrong type", trees, path, ("wrong-type",), "node")


def out_of_range(trees, random):
    numbers = [
        (path, shape)
        for path, shape in _fields(trees, shapes.FloatType, shapes.IntType)
        if shape.le is not None or shape.ge is not None or shape.gt is not None
    ]
    path, shape = random.choice(numbers)
    trees.put(path, 10**10 if shape.le is not None else -5)
    return found("out of range", trees, path, ("out-of-range",))


def bad_choice(trees, random):
    path, _ = random.choice(list(_fields(trees, shapes.EnumType)))
    trees.put(path, "zzz")
    return found("bad choice", trees, path, ("bad-choice",))


def bad_format(trees, random):
    trees.put(("format",), 2)
    return found("bad format", trees, ("format",), ("bad-choice",))


def id_with_space(trees, random):
    ids = [p for p, shape in _fields(trees, shapes.StrType) if p[-1] == "id" and shape.pattern]
    path = random.choice(ids)
    trees.put(path, "zz with space")
    return found("id with a space", trees, path, ("bad-id",))


def reserved_id(trees, random):
    trees.put(("cast", 0, "id"), "narrator")
    return found("reserved id", trees, ("cast", 0, "id"), ("reserved-id",))


def duplicate_id(trees, random):
    one, other = random.choice([
        (("cast", 0), ("cast", 1)), (("cast", 0), ("settings", 0)), (("facts", 0), ("facts", 1)),
        (("settings", 0), ("things", 0)), (("events", 0), ("events", 1)),
    ])  # fmt: skip
    trees.put((*other, "id"), trees.get((*one, "id")))
    return found("duplicate id", trees, (*other, "id"), ("duplicate-id",))


def layer_named_like_scene(trees, random):
    trees.put(("layers", 0, "id"), trees.story.start)
    return found("layer named like a scene", trees, ("layers", 0, "id"), ("duplicate-id",))


def bad_how(trees, random):
    who = next(iter(trees.get(("facts", 0, "known_by"))))
    trees.put(("facts", 0, "known_by", who), "guessed")
    return found("bad how", trees, ("facts", 0, "known_by", who), ("bad-how",))


def bad_act(trees, random):
    return _asks(trees, "bad act", {"did": {"who": "player", "act": "Look At"}}, ("did", "act"),
                 "bad-act")  # fmt: skip


def dangling(story):
    """Every field that refers to something, once each."""
    done = set()
    for path, struct in walk(story):
        for name, kind in REFERS.get(type(struct), {}).items():
            wire = dict(wire_names(type(struct)))[name]
            trees = Trees(story)
            value = trees.get((*path, wire))
            if not value or (type(struct), name) in done:
                continue
            at = _spoiled(trees, (*path, wire), value, kind)
            if at is not None:
                done.add((type(struct), name))
                yield found(f"dangling {type(struct).__name__}.{name}", trees, at, ("dangling",))


def _spoiled(trees, path, value, kind):
    if isinstance(kind, tuple) and kind[1] not in (None, Kind.HOW):
        path, kind = (*path, next(iter(value))), kind[1]
    elif isinstance(kind, tuple):
        first = next(iter(value))
        value[NOTHING] = value.pop(first)
        return (*path, NOTHING)
    elif isinstance(value, list):
        path = (*path, 0)
    if kind is Kind.HOW and " by " not in trees.get(path):
        return None
    spoiled = {Kind.HOW: f"told by {NOTHING}", Kind.BEAT: f"zz/{NOTHING}"}.get(kind, NOTHING)
    trees.put(path, spoiled)
    return path


# Statements that cannot mean anything, or contradict each other.


def _gate(trees):
    return next(("scenes", i, "gates", 0) for i, s in enumerate(trees.story.scenes) if s.gates)


def _asks(trees, name, condition, below, code, where="auto"):
    path = (*_gate(trees), "conditions", 0)
    trees.put(path, condition)
    return found(name, trees, (*path, *below), (code,), where)


def empty_condition(trees, random):
    paths = [path for path, struct in _structs(trees) if isinstance(struct, Condition)]
    path = random.choice(paths)
    trees.put(path, {})
    return found("empty condition", trees, path, ("empty-condition",))


def empty_all(trees, random):
    return _asks(trees, "empty all", {"all": []}, ("all",), "empty-condition")


def contradiction(trees, random):
    holds = {"holds": trees.story.facts[0].id}
    return _asks(trees, "contradiction", {**holds, "not": holds}, (), "contradiction")


def threshold_too_high(trees, random):
    of = [{"holds": trees.story.facts[0].id}]
    asked = {"threshold": {"at_least": 2, "of": of}}
    return _asks(trees, "threshold", asked, ("threshold", "at_least"), "threshold-too-high")


def empty_range(trees, random):
    one = {"from": "player", "to": "player", "dimension": "debt", "at_least": 0.5, "at_most": 0.1}
    return _asks(trees, "empty range", {"relation": one}, ("relation",), "empty-range")


def empty_mood(trees, random):
    return _asks(trees, "empty mood", {"mood": {"who": "player"}}, ("mood",), "empty-mood")


def doubtful_fact(trees, random):
    trees.put(("facts", 0, "confidence"), 0.3)
    asked = {"holds": trees.story.facts[0].id}
    return _asks(trees, "doubtful fact", asked, ("holds",), "doubtful-fact")


def two_minds(trees, random):
    who = next(iter(trees.get(("facts", 0, "known_by"))))
    trees.put(("facts", 0, "suspected_by"), {who: "saw"})
    return found("two minds", trees, ("facts", 0, "suspected_by", who), ("two-minds",))


def circular_telling(trees, random):
    cast = trees.story.cast
    one, other = (cast[0].id, cast[1 % len(cast)].id)
    known = {one: f"told by {other}", other: f"told by {one}"}
    trees.put(("facts", 0, "known_by"), known)
    for key in ("suspected_by", "believed_by"):
        trees.put(("facts", 0, key), {})
    place = ("facts", 0, "known_by", min(one, other))
    return found("circular telling", trees, place, ("circular-telling",))


def two_places(trees, random):
    trees.put(("things", 0, "at"), trees.story.settings[0].id)
    trees.put(("things", 0, "held_by"), trees.story.cast[0].id)
    return found("two places", trees, ("things", 0, "held_by"), ("two-places",))


def layer_cycle(trees, random):
    trees.put(("layers", 0, "parent"), trees.story.layers[0].id)
    return found("cycle of layers", trees, ("layers", 0, "parent"), ("cycle",))


def setting_cycle(trees, random):
    one, other = trees.story.settings[0].id, trees.story.settings[1].id
    trees.put(("settings", 0, "within"), other)
    trees.put(("settings", 1, "within"), one)
    return found("cycle of settings", trees, ("settings", 0, "within"), ("cycle",))


def theme_cycle(trees, random):
    trees.put(("themes",), {"light": ["light"]})
    return found("theme of itself", trees, ("themes", "light"), ("cycle",))


def two_layers(trees, random):
    second = {**deepcopy(trees.get(("layers", 0))), "id": "zz-second"}
    trees.get(("layers",)).append(second)
    files = trees.texts()
    line = line_of(files["layers.yaml"], ("layers", 1, "scenes", 0), "auto")
    return Fault("two layers", files, "layers.yaml", line, ("two-layers",))


def wrong_way_in(trees, random):
    trees.put(("layers", 0, "portals", 0, "to"), trees.story.start)
    return found("portal that leads out", trees, ("layers", 0, "portals", 0), ("wrong-way",))


def wrong_way_out(trees, random):
    trees.put(("layers", 0, "exits", 0, "from"), trees.story.start)
    return found("exit that leads in", trees, ("layers", 0, "exits", 0), ("wrong-way",))


def two_curves(trees, random):
    curve = {"waypoints": [{"progress": 0, "value": 0}], "sigmoid": {"k": 3}}
    trees.put(("layers", 0, "permeability"), curve)
    return found("two curves", trees, ("layers", 0, "permeability"), ("two-curves",))


def waypoint_order(trees, random):
    points = [{"progress": 0.5, "value": 0}, {"progress": 0.2, "value": 1}]
    trees.put(("layers", 0, "permeability"), {"waypoints": points})
    path = ("layers", 0, "permeability", "waypoints", 1, "progress")
    return found("waypoints out of order", trees, path, ("waypoint-order",))


def shares(trees, random):
    trees.put(("budget",), {"hard_share": 0.6, "soft_share": 0.6})
    return found("shares over one", trees, ("budget",), ("shares",))


def retrieved_range(trees, random):
    trees.put(("budget",), {"retrieved_least": 500, "retrieved_most": 450})
    path = ("budget", "retrieved_least")
    return found("the least over the most", trees, path, ("empty-range",))


def temperature_range(trees, random):
    trees.put(("tuning",), {"gravity": {"temperature_low": 1.3, "temperature_high": 1.1}})
    path = ("tuning", "gravity", "temperature_low")
    return found("the low factor over the high", trees, path, ("empty-range",))


def hard_share(trees, random):
    trees.put(("budget",), {"tokens": 50})
    trees.put(("voice",), "word " * 100 + ".")
    return found("hard text over its share", trees, ("voice",), ("hard-share",))


# What can never come about.


def gate_shut(trees, random):
    trees.get(("facts",)).append({"id": "zz-lonely", "full": "Nobody knows."})
    asked = {"knows": {"who": "player", "fact": "zz-lonely"}}
    return _asks(trees, "gate that never opens", asked, (), "gate-shut")


def gates_that_wait_for_each_other(trees, random):
    gate = _gate(trees)
    asked = {"opened": trees.get((*gate, "id"))}
    return _asks(trees, "gate that waits for itself", asked, (), "gate-shut")


def secret_kept(trees, random):
    trees.get(("facts",)).append({"id": "zz-kept", "full": "Nobody knows.", "secret": True})
    files = trees.texts()
    line = line_of(files["knowledge.yaml"], ("facts", len(trees.story.facts), "id"), "auto")
    return Fault("secret nobody can learn", files, "knowledge.yaml", line, ("secret-kept",))


def required_out_of_reach(trees, random):
    files = trees.texts()
    files["scenes/zz-island.md"] = "---\ntitle: Island\nrequired: true\nid: zz-island\n---\nX.\n"
    return Fault("required scene out of reach", files, "scenes/zz-island.md", 4, ("unreachable",))


def required_never_done(trees, random):
    trees.get(("events",)).append({"id": "zz-never", "summary": "It never happens."})
    head = ("scenes", 0)
    trees.put((*head, "required"), True)
    trees.put((*head, "done_when"), {"happened": "zz-never"})
    return found("required scene never done", trees, (*head, "done_when"), ("never",))


SHAPES = (
    misspelt_key, missing_key, wrong_type, out_of_range, bad_choice, bad_format, id_with_space,
    bad_how, bad_act,
)  # fmt: skip
_MODEL = (*SHAPES, reserved_id, duplicate_id, layer_named_like_scene)
_STATEMENTS = (
    empty_condition, empty_all, contradiction, threshold_too_high, empty_range, empty_mood,
    doubtful_fact, two_minds, circular_telling, two_places, layer_cycle, setting_cycle,
    theme_cycle, two_layers,
    wrong_way_in, wrong_way_out, two_curves, waypoint_order, shares, hard_share, retrieved_range,
    temperature_range, gate_shut,
    gates_that_wait_for_each_other, secret_kept, required_out_of_reach, required_never_done,
)  # fmt: skip
