"""Settings from the environment: those of the core, its limits, and those of all features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

import msgspec
import structlog

from .features.registry import FEATURES
from .settings import PREFIX, LimitSettings, Settings, read, variables

log = structlog.get_logger(__name__)
KINDS: tuple[type[msgspec.Struct], ...] = (
    Settings,
    LimitSettings,
    *(each.settings for each in FEATURES if each.settings is not None),
)
"""All classes of settings. No two have a field of the same name."""


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings that *environment* gives; raise StartupRefused naming a wrong variable."""
    return read(environment, KINDS[2:])


OTHERS = frozenset(f"{PREFIX}{name}" for name in ("TOKEN", "PARENT", "HEARTBEAT", "SIBLINGS", "COMPILE", "COMPILED"))
"""Variables that are no settings: a client's token, what `serve` tells its processes, and how the package is built."""


def strangers(environment: Mapping[str, str]) -> Iterator[tuple[str, str | None]]:
    """Yield each variable that looks like a setting and is none, with the setting whose name is closest (None: none is close)."""
    ours = OTHERS | {name for kind in KINDS for _, name in variables(kind)}
    unknown = sorted(name for name in environment if name.upper().startswith(PREFIX) and name not in ours)
    for name in unknown:
        close = get_close_matches(name.upper(), sorted(ours), n=1, cutoff=0.8)
        yield name, close[0] if close else None


def warn_of_strangers(environment: Mapping[str, str]) -> None:
    """Write a line to the log for each variable that looks like a setting and is none; what it says is not in it."""
    for name, close in strangers(environment):
        meant = f", is {close} meant?" if close is not None else ""
        log.warning("a variable is no setting and changes nothing", reason=f"{name}{meant}")
