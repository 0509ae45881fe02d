"""How many cases a property is tried with: few by default, many with STORYKEEPER_LONG=1.

This folder is on the path because of this file, so tests import `strategies.stories`.
"""

import os

from hypothesis import HealthCheck, settings

from strategies.remembered import remember

# Two workers share two cores: threads of their own that wait for each other only take from them.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

_QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "default", max_examples=8, deadline=None, print_blob=True, suppress_health_check=_QUIET
)
settings.register_profile(
    "long", max_examples=1_000, deadline=None, print_blob=True, suppress_health_check=_QUIET
)
settings.load_profile("long" if os.environ.get("STORYKEEPER_LONG") == "1" else "default")

remember()
