"""A kept match of a service that changed its signing key: the log says who handed over, and no one else does."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tafelrunde.client import Client
from tafelrunde.client.keeping import Kept, read_kept
from tafelrunde.service.dealing import merkle
from tafelrunde.service.features.transparency.checks import key_content
from tafelrunde.service.features.transparency.port import Leaf, LeafKind
from tafelrunde.service.signing.judge import statement_of
from tafelrunde.service.signing.notes import PrivateKey, is_signed, read_note, read_public
from tafelrunde.service.signing.signer import Signer, signer_of
from tafelrunde.service.signing.statements import FeedMark
from tests.audit.test_kept_evidence import answer, has_proofs, verified
from tests.audit.test_watching import leaves_of, opened, shown_instead
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import until
from tests.support.served import Service, service
from tests.support.the_log import log_of, sign_with
from tools.node import environment

pytestmark = pytest.mark.xdist_group("client")
SEEDS = ("11" * 32, "22" * 32, "33" * 32)


class Rotated:
    """A service of a test's own, and a match there during which the signing key was changed twice."""

    def __init__(self, served: Service, folder: Path) -> None:
        self.served = served
        served.do(shown_instead(served, []))
        self.rotate(0)
        with Client(served.url, keep=folder) as client:
            client.sign_up()
            opened(client)
            self.match = client.open_match("coup", 2, bots={1: "random"}, start=True, spectators="public").match
            self.rotate(1)
            for _ in client.follow(self.match):
                view = client.view(self.match)
                if view.question is not None and view.status == "running":
                    answer(client, self.match, view.question.decision, view.question.legal[0])
            until("the match is in the log", lambda: has_proofs(client, self.match))
            self.record = client.record(self.match)
        self.rotate(2)
        self.address = f"{served.url}/api/v1/matches/{self.match}"
        self.path = folder / f"{self.match}.kept.json"
        self.file = folder / "record.ndjson"
        self.file.write_bytes(self.record)

    def signer(self, last: int) -> Signer:
        """Return the signer with the keys up to a number, the newest first."""
        assert self.served.application is not None
        return signer_of(" ".join(SEEDS[last::-1]), self.served.application.stores.id_key)

    def rotate(self, number: int) -> None:
        """Let another key sign from now on, as a restart with it does."""
        sign_with(self.served, self.signer(number))
        self.served.do(log_of(self.served).note_key())

    @property
    def kept(self) -> Kept:
        """What was kept."""
        return read_kept(self.path.read_bytes())


@pytest.fixture(scope="module")
def rotated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rotated]:
    """A match that is over."""
    with service() as served:
        yield Rotated(served, tmp_path_factory.mktemp("kept"))


def other_leaf(rotated: Rotated, seed: str) -> Leaf:
    """Return the leaf by which an unknown key hands over to the second one."""
    origin = rotated.kept.origin
    fresh = rotated.signer(1).public.text
    time_ms = 1_700_000_000_000
    signature = PrivateKey(rotated.signer(0).origin, bytes.fromhex(seed)).raw_signature(key_content(fresh, time_ms))
    assert origin == rotated.signer(0).origin
    [leaf] = [each for each in rotated.served.do(leaves_of(rotated.served)) if each.lines[:1] == (fresh,)]
    return msgspec.structs.replace(leaf, time_ms=time_ms, lines=(fresh, base64.b64encode(signature).decode()))


def test_mark_by_a_later_key_is_right_if_the_log_shows_the_hand_over(rotated: Rotated) -> None:
    """The newest mark is signed with a key that the kept file does not have: each key signed the next one in the log."""
    kept = rotated.kept
    [known] = map(read_public, kept.keys)
    marks = [is_signed(read_note(each), known) for each in kept.marks]
    assert marks == [True, False]
    code, said = verified(rotated.address, rotated.path)
    assert (code, "feed, signature, log, key, opening, end, ends." in said) == (0, True), said


def test_later_key_without_a_log_is_neither_right_nor_wrong(rotated: Rotated, tmp_path: Path) -> None:
    """A record in a file, alone or in a folder: no one there can say whose the key is."""
    code, said = verified(rotated.file, rotated.path)
    assert (code, "is undecided: nothing in it is wrong, but something kept is signed" in said) == (3, True), said
    assert "Kept, but not compared: key, log." in said
    code, said = verified(rotated.file, rotated.path, "--json")
    told = json.loads(said)
    assert (code, told["right"], told["conclusion"], told["finding"]) == (3, False, "undecided", None)
    shutil.copy(rotated.file, tmp_path / "one.ndjson")
    code, said = verified(tmp_path, rotated.path.parent)
    assert (code, "0 right, 0 wrong, 1 undecided" in said, "only the log of the service shows" in said) == (3, True, True), said


def test_checkpoint_by_a_later_key_without_a_log_is_neither_right_nor_wrong(rotated: Rotated, tmp_path: Path) -> None:
    """All marks are by the key that was kept, in both programs."""
    first, _ = rotated.kept.marks
    later = str(rotated.signer(1).checkpoint(0, merkle.EMPTY))
    kept = msgspec.structs.replace(rotated.kept, marks=(first,), checkpoints=(later,))
    assert rotated.signer(1).public.text != kept.keys[0]
    (path := tmp_path / "kept.json").write_bytes(msgspec.json.encode(kept))
    code, said = verified(rotated.file, path)
    assert (code, "Kept, but not compared: key." in said) == (3, True), said
    code, said = by_node(rotated, path)
    assert (code, said.startswith("undecided; not checked: "), "a later key; the log." in said) == (3, True, True), said


def by_node(rotated: Rotated, kept: Path) -> tuple[int, str]:
    """Return the exit code of the verifier in JavaScript, and what it says."""
    program = ROOT / "docs" / "verifier" / "verify.mjs"
    command = ["node", str(program), str(rotated.file), str(kept)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    return done.returncode, done.stdout + done.stderr


def test_verifier_in_javascript_does_not_accuse_a_later_key(rotated: Rotated, tmp_path: Path) -> None:
    """It has no log either; a note that was changed is wrong all the same."""

    def told(kept: Kept) -> tuple[int, str]:
        path = tmp_path / "kept.json"
        path.write_bytes(msgspec.json.encode(kept))
        return by_node(rotated, path)

    code, said = told(rotated.kept)
    assert (code, said.startswith("undecided; not checked: "), "a later key; the log." in said) == (3, True, True), said
    first, last = rotated.kept.marks
    code, said = told(msgspec.structs.replace(rotated.kept, marks=(first.replace("\n3\n", "\n2\n"), last)))
    assert (code, said.startswith("wrong: kept: ")) == (1, True), said
    code, said = told(msgspec.structs.replace(rotated.kept, marks=(first,)))
    assert (code, said.startswith("right; not checked: ")) == (0, True), said


def test_log_that_does_not_answer_is_said(rotated: Rotated, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match is there, and the log is not: nothing is called right."""

    async def silent(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(log_of(rotated.served), "leaves", silent)
    monkeypatch.setattr(log_of(rotated.served), "at", silent)
    code, said = verified(rotated.address, rotated.path)
    assert (code, "gives no answer about" in said, "is right" in said) == (2, True, False), said


@pytest.mark.parametrize("case", ["missing", "unsigned", "unknown"])
def test_key_that_the_log_does_not_hand_over_to_is_wrong(rotated: Rotated, tmp_path: Path, case: str) -> None:
    """Without the leaf, with the signature of another key in it, or by a key that is in no leaf."""
    served = rotated.served
    path = tmp_path / "kept.json"
    log = log_of(rotated.served)
    kept = msgspec.structs.replace(rotated.kept, checkpoints=())
    whole = log._store
    signer = log.signer
    leaves = list(served.do(leaves_of(served)))
    keys = [place for place, leaf in enumerate(leaves) if leaf.kind is LeafKind.KEY]
    assert len(keys) == 3
    if case == "missing":
        del leaves[keys[1]]
    if case == "unsigned":
        leaves[keys[1]] = other_leaf(rotated, SEEDS[2])
    if case == "unknown":
        mark = statement_of(read_note(kept.marks[0]), [read_public(kept.keys[0])])
        assert isinstance(mark, FeedMark)
        stranger = Signer(mark.origin, [bytes.fromhex("44" * 32)])
        kept = msgspec.structs.replace(kept, marks=(stranger.mark(mark.mark),))
    path.write_bytes(msgspec.json.encode(kept))
    try:
        if case != "unknown":
            served.do(shown_instead(served, leaves, signer))
        code, said = verified(rotated.address, path)
    finally:
        log._store = whole
        log.signer = signer
    assert (code, said.startswith("Wrong at kept: "), "is right" in said) == (1, True, False), said
    assert "who signs the log" in said if case != "unknown" else "not signed by a key of" in said, said


def test_log_that_another_key_signs_is_wrong(rotated: Rotated) -> None:
    """The newest checkpoint is by a key from nowhere, although all that was kept is as it was."""
    log = log_of(rotated.served)
    signer = log.signer
    try:
        assert rotated.served.application is not None
        log.signer = signer_of("55" * 32, rotated.served.application.stores.id_key)
        code, said = verified(rotated.address, rotated.path)
    finally:
        log.signer = signer
    assert (code, said.startswith("Wrong at kept: who signs the log")) == (1, True), said
