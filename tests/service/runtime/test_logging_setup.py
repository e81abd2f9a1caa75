"""Log lines: one shape for all processes, and nothing in them that is not on the list."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.runtime.logging_setup import configure
from tafelrunde.service.settings import LogFormat, Settings
from tests.support.processes import logging_kept


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Leave logging as it was found."""
    with logging_kept():
        yield


def test_lines_of_ours_and_of_libraries_have_one_shape(capfd: pytest.CaptureFixture[str]) -> None:
    """Every line can be parsed the same way, from any library."""
    configure(Settings(log_format=LogFormat.JSON), "worker")
    structlog.get_logger("a").info("ours", match="m1")
    logging.getLogger("b").warning("theirs %s", 7)
    ours, theirs = map(json.loads, capfd.readouterr().err.splitlines())
    assert (ours["event"], ours["match"], ours["process"], ours["level"]) == ("ours", "m1", "worker", "info")
    assert (theirs["event"], theirs["process"], theirs["level"]) == ("theirs 7", "worker", "warning")
    assert ours["timestamp"].endswith("Z")


@pytest.mark.parametrize("form", LogFormat)
@pytest.mark.parametrize("field", ["token", "authorization", "hand", "cards", "name", "command", "body"])
def test_field_that_is_not_on_the_list_is_dropped(form: LogFormat, field: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Tokens, cards, names and commands cannot get into a log by a field."""
    configure(Settings(log_format=form), "api")
    structlog.get_logger("a").warning("refused", **{field: "geheim"}, code="not-asked")
    line = capfd.readouterr().err
    assert "not-asked" in line
    assert "geheim" not in line
    assert field not in line


@pytest.mark.parametrize("form", LogFormat)
def test_traceback_shows_no_values(form: LogFormat, capfd: pytest.CaptureFixture[str]) -> None:
    """It says where it failed, but not with what values."""
    configure(Settings(log_format=form), "api")
    hand = "duchess" + "captain"
    try:
        _fail(hand)
    except ExceptionGroup as error:
        structlog.get_logger("a").exception("failed")
        logging.getLogger("b").error("failed too", exc_info=error)
    line = capfd.readouterr().err
    assert line.count("_fail") >= 2
    assert "KeyError" in line
    assert "ValueError" in line
    assert hand not in line


def _fail(hand: str) -> None:
    try:
        raise KeyError(hand)
    except KeyError as error:
        raise ExceptionGroup(hand, [ValueError(hand), error]) from error


def test_traceback_shows_what_is_wrong_with_a_machine(capfd: pytest.CaptureFixture[str]) -> None:
    """Errors of connections and files say what is wrong: they know no cards."""
    configure(Settings(log_format=LogFormat.JSON), "api")
    try:
        raise ConnectionRefusedError(111, "nobody listens")
    except OSError:
        structlog.get_logger("a").exception("failed")
    assert "ConnectionRefusedError: [Errno 111] nobody listens" in json.loads(capfd.readouterr().err)["exception"]


def test_level_decides_what_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    """Below the level nothing is written."""
    configure(Settings(log_level="warning"), "api")
    structlog.get_logger("a").info("quiet")
    structlog.get_logger("a").warning("loud")
    line = capfd.readouterr().err
    assert "loud" in line
    assert "quiet" not in line


def test_unknown_level_refuses_the_start() -> None:
    """A wrong level is reported at start, with the name of its variable."""
    with pytest.raises(StartupRefused, match="TAFELRUNDE_LOG_LEVEL"):
        configure(Settings(log_level="chatty"), "api")
