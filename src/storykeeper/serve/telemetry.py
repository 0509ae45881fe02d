"""What an operator sees: structured logs and counts, never a story's words and never a key."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

LOGGER = logging.getLogger("storykeeper.serve")
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        said = {"at": round(record.created, 3), "level": record.levelname.lower(),
                "event": record.getMessage(), **getattr(record, "said", {})}  # fmt: skip
        return json.dumps(said)


def log_to_stderr(level: int = logging.INFO) -> None:
    """Logs go to standard error, a JSON object a line."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    LOGGER.handlers = [handler]
    LOGGER.setLevel(level)
    LOGGER.propagate = False


@dataclass(slots=True)
class Telemetry:
    """Counts since the service started."""

    requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    seconds: dict[str, list[int]] = field(default_factory=dict)
    seconds_sum: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    bypasses: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)

    def answered(self, method: str, route: str, status: int, seconds: float, tenant: str) -> None:
        """A request was answered; the route is its pattern, so that no name is in it."""
        self.requests[method, route, status] += 1
        counts = self.seconds.setdefault(route, [0] * (len(_BUCKETS) + 1))
        counts[sum(seconds > edge for edge in _BUCKETS)] += 1
        self.seconds_sum[route] += seconds
        _say("request", method=method, route=route, status=status, tenant=tenant,
             ms=round(seconds * 1e3, 1))  # fmt: skip

    def bypassed(self, why: str) -> None:
        """A chat request went upstream as it came."""
        self.bypasses[why] += 1
        _say("bypassed", logging.WARNING, why=why)

    def fault(self, error: BaseException) -> None:
        """Something of ours failed: where, and no word of what it held."""
        at = error.__traceback__
        while at is not None and at.tb_next is not None:
            at = at.tb_next
        where = "" if at is None else f"{at.tb_frame.f_code.co_qualname}:{at.tb_lineno}"
        self.faults[type(error).__name__] += 1
        _say("fault", logging.ERROR, kind=type(error).__name__, where=where)

    def metrics(self, **gauges: float) -> str:
        """All of it, as Prometheus reads it."""
        lines = ["# TYPE storykeeper_requests_total counter"]
        lines += [
            f'storykeeper_requests_total{{method="{m}",route="{r}",status="{s}"}} {n}'
            for (m, r, s), n in sorted(self.requests.items())
        ]
        lines.append("# TYPE storykeeper_request_seconds histogram")
        for route, counts in sorted(self.seconds.items()):
            lines += _histogram(route, counts, self.seconds_sum[route])
        lines += _counter("bypassed", "why", self.bypasses) + _counter(
            "faults", "kind", self.faults
        )
        for name, value in (*gauges.items(), ("uptime_seconds", time.monotonic() - self.began)):
            lines += [f"# TYPE storykeeper_{name} gauge", f"storykeeper_{name} {value:g}"]
        return "\n".join(lines) + "\n"


def _histogram(route: str, counts: list[int], total: float) -> list[str]:
    edges = (*(f"{edge:g}" for edge in _BUCKETS), "+Inf")
    name = "storykeeper_request_seconds"
    lines = [
        f'{name}_bucket{{route="{route}",le="{edge}"}} {sum(counts[: n + 1])}'
        for n, edge in enumerate(edges)
    ]
    return [*lines, f'{name}_sum{{route="{route}"}} {total:.6f}',
            f'{name}_count{{route="{route}"}} {sum(counts)}']  # fmt: skip


def _counter(what: str, label: str, counts: Counter[str]) -> list[str]:
    name = f"storykeeper_{what}_total"
    said = [f'{name}{{{label}="{key}"}} {n}' for key, n in sorted(counts.items())]
    return [f"# TYPE {name} counter", *said]


def _say(event: str, level: int = logging.INFO, /, **said: object) -> None:
    LOGGER.log(level, event, extra={"said": said})
