"""Records of matches that another service has: `tafelrunde verify ADDRESS` and `tafelrunde export ADDRESS`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tafelrunde.audit.remote import RemoteMatch, parse_address
from tafelrunde.client import ApiError, Client
from tafelrunde.client.shapes import LeafProofs
from tafelrunde.service.errors import StartupRefused
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import run
from tests.support.served import Service, service

pytestmark = pytest.mark.xdist_group("client")

MATCH = "m" + "a" * 24


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A service that runs under a path of a host."""
    with service("/tafel") as running:
        yield running


@pytest.fixture(scope="module")
def finished(served: Service) -> tuple[str, str]:
    """A match that is over and unlisted, and the token of its player."""
    with Client(served.url) as client:
        client.sign_up("Ada")
        match = client.open_match("coup", 2, bots={1: "random"}, start=True, visibility="unlisted").match
        for _ in client.follow(match):
            if (question := client.view(match).question) is not None:
                client.play(match, question.decision, question.legal[0])
        assert client.token is not None
        return match, client.token


@pytest.mark.parametrize(
    "path",
    [
        "api/v1/matches/{}",
        "api/v1/matches/{}/",
        "api/v1/matches/{}/record",
        "#/match/{}",
        "#/match/{}/12/open",
        "match/{}",
        "match/{}?lang=de",
        "embed/{}?spectator=true",
    ],
)
@pytest.mark.parametrize("service_at", ["https://a.example", "http://127.0.0.1:8000/tafel"])
def test_address_names_service_and_match(service_at: str, path: str) -> None:
    """The address of the API, of its record, of the page in the web client, of the link that players send, and of a frame."""
    assert parse_address(f"{service_at}/{path.format(MATCH)}") == RemoteMatch(service_at, MATCH)


@pytest.mark.parametrize("address", ["http://a.example", "http://a.example/api/v1/matches/x", "http://a.example/api/v1/games"])
def test_address_is_refused_when_it_names_no_match(address: str) -> None:
    """The sentence shows how one looks."""
    with pytest.raises(StartupRefused, match="is not the address of a match"):
        parse_address(address)


def test_match_of_another_service_is_verified(served: Service, finished: tuple[str, str]) -> None:
    """With the player's token the record is fetched, and everything in it is done again here."""
    match, token = finished
    done = run("verify", f"{served.url}/api/v1/matches/{match}", token=token)
    assert done.returncode == 0, done.stderr
    assert f"{match} (coup) is right" in done.stdout


def test_record_of_another_service_is_exported(served: Service, finished: tuple[str, str], tmp_path: Path) -> None:
    """The same lines as the service gives, in a file that can be verified without it."""
    match, token = finished
    out = tmp_path / "record"
    done = run("export", f"{served.url}/#/match/{match}", "--out", str(out), token=token)
    assert done.returncode == 0, done.stderr
    with Client(served.url, token) as client:
        assert out.read_bytes() == client.record(match)
    done = run("verify", str(out), "--json")
    assert json.loads(done.stdout)["right"] is True


def test_match_of_another_service_is_replayed(served: Service, finished: tuple[str, str]) -> None:
    """With the player's token, from any seat."""
    match, token = finished
    done = run("replay", f"{served.url}/api/v1/matches/{match}/record", "--seat", "1", "--language", "de", token=token)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{match}. Gesehen von Platz 1.")


def test_match_of_another_service_is_not_shown_without_its_token(served: Service, finished: tuple[str, str]) -> None:
    """One line says what the service answered."""
    done = run("verify", f"{served.url}/api/v1/matches/{finished[0]}")
    assert done.returncode == 1
    assert "404 urn:tafelrunde:problem:not-found" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_service_that_does_not_answer_is_reported() -> None:
    """One line names the service, with the exit code for what the operator has to mend."""
    done = run("export", f"http://127.0.0.1:1/api/v1/matches/{MATCH}")
    assert (done.returncode, done.stderr) == (2, "http://127.0.0.1:1 does not answer.\n")


def test_match_is_held_against_a_kept_checkpoint(served: Service, finished: tuple[str, str], tmp_path: Path) -> None:
    """The proofs of the service, or of a file, lead to the root that was kept; another root, or another match, is reported."""
    match, token = finished
    address = f"{served.url}/api/v1/matches/{match}"
    out = tmp_path / "record"
    log = tmp_path / "proofs"
    with Client(served.url, token) as client:
        proofs = logged(client, match)
        out.write_bytes(client.record(match))
    log.write_bytes(msgspec.json.encode(proofs))
    kept = f"{proofs.size}:{proofs.root}"
    assert run("verify", address, "--checkpoint", kept, token=token).returncode == 0
    assert run("verify", str(out), "--log", str(log), "--checkpoint", kept).returncode == 0
    other = run("verify", str(out), "--log", str(log), "--checkpoint", f"{proofs.size}:{'0' * 64}")
    assert (other.returncode, other.stdout.split(":")[0]) == (1, "Wrong at log")
    [leaf] = proofs.leaves
    changed = msgspec.structs.replace(proofs, leaves=(msgspec.structs.replace(leaf, time_ms=leaf.time_ms + 1),))
    log.write_bytes(msgspec.json.encode(changed))
    assert run("verify", str(out), "--log", str(log)).returncode == 1


def logged(client: Client, match: str) -> LeafProofs:
    """Return the proofs that a match is in the log, as soon as it is."""
    for _ in range(20 * int(PATIENCE_SECONDS)):
        try:
            return client.log_proofs(match)
        except ApiError:
            time.sleep(0.05)
    raise AssertionError("a finished match is entered")
