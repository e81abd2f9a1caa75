"""One shape of log lines for every process, for people or for machines.

Fields are written from an allow-list, so that no token, card, name or command can get into a log by accident. Lines go to
the standard error; the standard output is for results.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Mapping, MutableMapping, Sequence
from typing import cast

import structlog
from redis.exceptions import RedisError

from ..errors import StartupRefused, StoreUnavailable
from ..settings import LogFormat, Settings

FIELDS = frozenset(
    {
        "attempt", "child", "code", "count", "data_dir", "decision", "delivery", "duration_ms", "error", "event", "exc_info",
        "exception", "game", "job", "kind", "late_ms", "level", "logger", "match", "method", "operation", "outcome", "pid",
        "process", "queue", "reason", "request", "route", "seat", "seconds", "shard", "signal", "status", "task", "timestamp",
        "url", "version", "webhook",
    }
)  # fmt: skip
"""The fields that a line may have. `exception` is where it happened, without values; `url` is an address of our own."""

_SAYING = (OSError, RedisError, StartupRefused, StoreUnavailable)
"""Errors about machines and settings, whose messages may be logged. Others' messages may contain a card or a token."""

_QUIET = ("rq.worker", "rq.job", "httpx", "asyncio", "uvicorn", "fido2")
"""Libraries that log nothing useful below a warning."""


def configure(settings: Settings, process: str) -> None:
    """Send everything that this process logs to the standard error, in one shape; raise StartupRefused for a level unknown."""
    level = logging.getLevelNamesMapping().get(settings.log_level.upper())
    if level is None:
        raise StartupRefused(
            f"TAFELRUNDE_LOG_LEVEL is {settings.log_level!r}, which is no level: say debug, info, warning or error."
        )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(settings.log_format, process))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, level))
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared_processors(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def drop_unlisted(_logger: object, _method: str, event: MutableMapping[str, object]) -> Mapping[str, object]:
    """Drop every field that is not on the list."""
    return {name: value for name, value in event.items() if name in FIELDS}


def tell_where(_logger: object, _method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Add the error of a line: its location and its type, but no values."""
    error = _error_in(event.pop("exc_info", None))
    if error is not None:
        event["exception"] = _trace(error)
    return event


def _error_in(found: object) -> BaseException | None:
    """Return the error that a line is about: it is given, or it is the one that is being handled."""
    given = cast("tuple[object, ...]", found)[1] if isinstance(found, tuple) else found
    if found and not isinstance(given, BaseException):
        return sys.exc_info()[1]
    return given if isinstance(given, BaseException) else None


def _trace(error: BaseException) -> str:
    """Return where an error happened, after its causes and its members."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    traces = [_trace(each) for each in (before, *_parts(error)) if each is not None]
    says = f": {error}" if isinstance(error, _SAYING) else ""
    return "\n".join([*traces, "".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + says])


def _parts(error: BaseException) -> Sequence[BaseException]:
    return cast("BaseExceptionGroup[BaseException]", error).exceptions if isinstance(error, BaseExceptionGroup) else ()


def _shared_processors() -> list[structlog.types.Processor]:
    return [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _formatter(form: LogFormat, process: str) -> logging.Formatter:
    """Return the formatter of log records, both our own and those of libraries."""

    def name_process(_logger: object, _method: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
        event["process"] = process
        return event

    last: list[structlog.types.Processor] = [tell_where, structlog.processors.JSONRenderer()]
    if form is LogFormat.TEXT:
        colors = sys.stderr.isatty() and "NO_COLOR" not in os.environ
        last = [tell_where, structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=structlog.dev.plain_traceback)]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_shared_processors(),
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, drop_unlisted, name_process, *last],
    )
