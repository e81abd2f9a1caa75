"""Variables of the environment that look like settings."""

from __future__ import annotations

from enum import Enum

import msgspec
import pytest

from tafelrunde.service.environment import KINDS, OTHERS, read_settings, strangers
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.runtime.siblings import SIBLINGS
from tafelrunde.service.settings import variables
from tafelrunde.workers.parent_watch import PARENT
from tafelrunde.workers.watchdog import PIPE
from tests.support.processes import run


def test_refusal_names_the_allowed_values_of_every_closed_setting() -> None:
    """A sentence with the variable, the value that it has, and those that it may have."""
    closed = {
        f"TAFELRUNDE_{field.name.upper()}": [str(value.value) for value in field.type]
        for kind in KINDS
        for field in msgspec.structs.fields(kind)
        if isinstance(field.type, type) and issubclass(field.type, Enum)
    }
    assert {"TAFELRUNDE_TALK", "TAFELRUNDE_SMTP_TLS", "TAFELRUNDE_DURABILITY", "TAFELRUNDE_LOG_FORMAT"} <= closed.keys()
    for variable, values in closed.items():
        with pytest.raises(StartupRefused) as caught:
            read_settings({variable: "loud"})
        *others, last = values
        assert str(caught.value) == f"{variable} is 'loud', which does not work: choose {', '.join(others)} or {last}."


@pytest.mark.parametrize(
    ("name", "close"),
    [
        ("TAFELRUNDE_PROT", "TAFELRUNDE_PORT"),
        ("TAFELRUNDE_MAILFROM", "TAFELRUNDE_MAIL_FROM"),
        ("TAFELRUNDE_RATE_LIMIT", "TAFELRUNDE_RATE_LIMITS"),
        ("Tafelrunde_Port", "TAFELRUNDE_PORT"),
        ("TAFELRUNDE_COLOUR_OF_THE_SKY", None),
    ],
)
def test_variable_is_strange_when_no_setting_has_its_name(name: str, close: str | None) -> None:
    """The setting whose name is nearly the same is named, if there is one."""
    assert [*strangers({name: "1", "PATH": "/bin", "TAFELRUNDE_HOST": "127.0.0.1"})] == [(name, close)]


def test_no_variable_of_our_own_is_strange() -> None:
    """Neither a setting nor what processes hand to each other."""
    ours = {variable for kind in KINDS for _, variable in variables(kind)} | {PARENT, PIPE, SIBLINGS, "TAFELRUNDE_TOKEN"}
    assert [*strangers(dict.fromkeys(ours | OTHERS | {"REDIS_URL"}, "1"))] == []


def test_strange_variable_is_in_the_log_when_a_command_starts() -> None:
    """Once, with the name that was meant; what it says stays unwritten, as it may be a secret."""
    told = run("health", "sweeper", redis_url="redis://127.0.0.1:1", smtp_pasword="hidden")
    assert told.stderr.count("a variable is no setting and changes nothing") == 1
    assert "TAFELRUNDE_SMTP_PASWORD, is TAFELRUNDE_SMTP_PASSWORD meant?" in told.stderr
    assert "hidden" not in told.stderr + told.stdout
