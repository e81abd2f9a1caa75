"""Every setting with wrong values, through `serve`: one sentence that names it, exit code 2, and nothing that keeps starting."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import NoReturn
from urllib.parse import quote

import msgspec
import pytest

from tafelrunde.service.environment import KINDS
from tafelrunde.service.runtime.signing_file import SIGNING_KEY
from tafelrunde.service.settings import GROUPS
from tafelrunde.workers import supervisor, unavailable_responder
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import alive, environment, run, run_apart
from tests.support.servers import Server, free_port

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("serve")]

KEY = "ab" * 32
WRITTEN = "$FOLDER"
"""What stands for a folder that has `folder`, `empty`, `rubbish` and `short`."""
NUMBERS = ("", "many", "1.5", "-1", "99999999999999999999")
SWITCHES = ("", "maybe", "2", "-1", "onn")
WORDS = ("", "eternal", "1", "TEXT ", "embedded,durable")
LISTS = {
    "host": ("127.0.0.1:80", "[::1]", "my host", "192.0.2.1", "x" * 70),
    "games": ("duel", "coup", "Coup,", "my game", "../duel"),
    "data_dir": ("", f"{WRITTEN}/rubbish", f"{WRITTEN}/rubbish/deeper", "/dev/null", "/proc/nowhere"),
    "redis_url": ("rubbish", "http://127.0.0.1", "redis://h:port", "redis://h:0", "redis://a,b"),
    "rq_url": ("rubbish", "http://127.0.0.1", "redis://h:port", "redis://h:0", "redis+cluster://h:1"),
    "store_id": ("x", "0", "f" * 40, "another", " "),
    "signing_key": ("rubbish", KEY[:-2], f"{WRITTEN}/nowhere", f"{WRITTEN}/folder", f"{WRITTEN}/empty"),
    "witnesses": ("rubbish", "a+b+c", f"x+{'0' * 8}+{'A' * 44}", ";", "http://witness.example"),
    "archive_url": ("rubbish", "sqlite://", f"sqlite:////{WRITTEN}/folder", "s3://", "s3://bucket?colour=red"),
    "log_level": ("", "loud", "1", "Info ", "none"),
    "trusted_proxies": ("my proxy", "proxy.example", "10.0.0.1/8", "10.0.0.0/33", "*,10.0.0.1"),
    "cors_origins": ("cards.example", "https://", "https://a b", "https://a.example/page", "a,b"),
    "webhook_networks": ("rubbish", "10.0.0.1/8", "10.0.0.0/33", "my network", "1"),
    "webhook_ports": ("http", "0", "65536", "1.5", "80 443"),
    "mail_from": ("rubbish", "@cards.example", "cards @cards.example", "cards@", "Cards <cards@cards.example>"),
    "push_key": ("rubbish", KEY[:-2], f"{WRITTEN}/nowhere", f"{WRITTEN}/folder", f"{WRITTEN}/empty"),
    "push_contact": ("", "rubbish", "mailto:", "http://cards.example", "cards@cards.example"),
    "openid_issuer": ("rubbish", "id.example", "ftp://id.example", "http://id.example", "https://id.example/?a"),
    "openid_name": ("", " ", "OpenID ", "Open\nID", "x" * 41),
    "public_url": ("rubbish", "cards.example", "ftp://cards.example", "https://", "https://cards.example/?a"),
}
WITH_A_SERVER = {"redis_password"}
"""Settings that are wrong only for a certain server: see the tests below."""
EMBEDDED = {"data_dir", "redis_url"}
"""Settings that are tried without a server that runs already; to start one for each value of the others would take long."""


def wrong_values() -> Iterator[tuple[str, str]]:
    """Yield every setting with five values that do not work."""
    for field in (each for kind in KINDS for each in msgspec.structs.fields(kind) if each.name not in GROUPS):
        given = LISTS.get(field.name) or _values_for(field.type)
        assert len(given) == 5
        if field.name not in WITH_A_SERVER:
            yield from ((field.name, value) for value in given)


def _values_for(declared: object) -> tuple[str, ...]:
    """Return what is wrong for a type, whatever its bounds are."""
    inner = msgspec.inspect.type_info(declared)
    kinds = inner.types if isinstance(inner, msgspec.inspect.UnionType) else (inner,)
    if any(isinstance(kind, msgspec.inspect.IntType) for kind in kinds):
        return NUMBERS
    return SWITCHES if any(isinstance(kind, msgspec.inspect.BoolType) for kind in kinds) else WORDS


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What wrong settings lead to."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    (folder / "rubbish").write_text("rubbish")
    return folder


@pytest.fixture(scope="module")
def valkey_port() -> Iterator[int]:
    """The port of a Valkey without a password."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="tr-") as folder, Server("valkey", Path(folder), port=str(port)):
        yield port


@pytest.fixture(autouse=True)
def _nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test in which a wrong value is taken for a right one, in place of serving, or waiting, for good.

    A busy machine's server may be waited for: it does not always answer in time.
    """
    until = time.monotonic() + PATIENCE_SECONDS

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("the value was accepted")

    def wait() -> None:
        assert time.monotonic() < until, "the server is waited for, whatever it says"

    monkeypatch.setattr(supervisor, "Supervisor", refuse)
    monkeypatch.setattr(unavailable_responder, "unavailable_responder", lambda *_: wait)


def sentence(**settings: str | int) -> str:
    """Return the one sentence with which `serve` ends."""
    found = run("serve", **{"port": 0, "log_format": "json", **settings})
    said = [line for line in found.stderr.splitlines() if not of_an_outage(line)]
    assert (found.returncode, found.stdout, len(said)) == (2, "", 1), found.stderr
    return said[0]


def of_an_outage(line: str) -> bool:
    """Return whether a line of the log says that a server did not answer, or does so again."""
    return line.startswith("{") and "available" in json.loads(line)["event"]


@pytest.mark.parametrize(("name", "value"), list(wrong_values()))
def test_serve_is_refused_when_a_setting_is_wrong(name: str, value: str, written: Path, short_path: Path, valkey: Server) -> None:
    """Whatever the setting: its variable is named, and what may be a key is not repeated."""
    server = {} if name in EMBEDDED else {"redis_url": valkey.url}
    said = sentence(**{"data_dir": str(short_path / "data"), **server, name: value.replace(WRITTEN, str(written))})
    assert ("REDIS_URL" if name == "redis_url" else f"TAFELRUNDE_{name.upper()}") in said
    assert KEY[:-2] not in said


@pytest.mark.parametrize("name", [SIGNING_KEY, "push.key"])
@pytest.mark.parametrize("kind", ["rubbish", "empty", "folder"])
def test_serve_is_refused_when_the_key_in_its_folder_is_wrong(kind: str, name: str, written: Path, short_path: Path) -> None:
    """The file is named: no variable is wrong, as none was set."""
    data = short_path / "data"
    data.mkdir()
    (data / name).symlink_to(written / kind)
    assert str(data / name) in sentence(data_dir=str(data))


@pytest.mark.parametrize("name", ["redis_url", "rq_url"])
def test_serve_is_refused_when_the_server_has_no_such_database(name: str, valkey: Server) -> None:
    """It would answer, but never serve that number."""
    given: Mapping[str, str] = {"redis_url": valkey.url, name: f"{valkey.url}?db=99"}
    said = sentence(**given)
    assert name.upper() in said
    assert "DB index" in said


@pytest.mark.parametrize("password", ["swordfish", "sword fish", "sword%fish", "swördfish", "sword@fish"])
@pytest.mark.parametrize("name", ["redis_url", "rq_url"])
def test_serve_is_refused_when_the_password_is_wrong(name: str, password: str, valkey: Server, valkey_port: int) -> None:
    """The server is named, as its address may have a password of its own, and the password is not repeated."""
    given: Mapping[str, str] = {"redis_url": valkey.url, name: f"redis://:{quote(password)}@127.0.0.1:{valkey_port}"}
    said = sentence(**given)
    assert name.upper() in said
    assert "fish" not in said


@pytest.mark.parametrize("name", ["redis_url", "rq_url"])
def test_serve_is_refused_when_a_sentinel_is_none(name: str, valkey: Server, valkey_port: int) -> None:
    """A plain server at the address of a Sentinel knows no primary by any name, and never will."""
    given: Mapping[str, str] = {"redis_url": valkey.url, name: f"redis+sentinel://127.0.0.1:{valkey_port}/primary/0"}
    assert name.upper() in sentence(**given)


def test_serve_is_refused_when_the_password_is_set_by_itself(valkey_port: int) -> None:
    """It stands in for one that the address has not."""
    assert "REDIS_URL" in sentence(redis_url=f"redis://127.0.0.1:{valkey_port}", redis_password="swordfish")


@pytest.mark.parametrize(
    ("command", "name", "told", "start"),
    [
        ("serve", "signing_key", "rubbish", run),
        ("api", "witnesses", "rubbish", run),
        ("worker", "trusted_proxies", "my proxy", run_apart),
        ("sweeper", "webhook_networks", "my network", run),
    ],
)
def test_every_process_is_refused_when_a_setting_is_wrong(
    command: str, name: str, told: str, start: Callable[..., CompletedProcess[str]], short_path: Path
) -> None:
    """Whichever it is: it does not wait for a store that has nothing to do with it. One is tried as a process of its own."""
    found = start(command, **{"port": 0, "data_dir": str(short_path / "data"), name: told})
    assert (found.returncode, found.stdout) == (2, "")
    assert [f"TAFELRUNDE_{name.upper()}" in line for line in found.stderr.splitlines()] == [True]
    assert not (short_path / "data").exists()


def test_worker_is_refused_in_one_sentence_when_a_queue_is_unknown() -> None:
    """With the queues that there are."""
    found = run_apart("worker", "--queue", "fast")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == (
        "--queue is 'fast', which is not a queue: choose from timeouts, bots-fast, bots-deep, bots-alone, coaching.\n"
    )


# `serve`, in which the sweeper refuses to start: forks and new interpreters alike run this.
REFUSING = """
import sys
from tafelrunde.service.errors import StartupRefused
from tafelrunde.workers import cli, sweeper

def run(settings):
    raise StartupRefused("The sweeper finds something wrong.")

sweeper.run = run
cli.main()
"""


def test_serve_ends_when_a_process_of_it_is_refused(short_path: Path) -> None:
    """What only a process finds wrong is no reason to start it over and over: `serve` ends as that did, and so do the others."""
    program = short_path / "program.py"
    program.write_text(REFUSING, encoding="utf-8")
    found = subprocess.run(
        [sys.executable, str(program), "serve"],
        env=environment(port=0, data_dir=str(short_path / "data"), apis=1, thinkers=1, log_format="json"),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (found.returncode, found.stdout) == (2, ""), found.stderr
    said = [line for line in found.stderr.splitlines() if not line.startswith("{")]
    assert said == ["The sweeper finds something wrong."]
    lines = [json.loads(line) for line in found.stderr.splitlines() if line.startswith("{")]
    assert [line["event"] for line in lines].count("ended unexpectedly, restarting") == 1
    assert not any(alive(line["pid"]) for line in lines if line["event"] == "started")
