"""This browser compares the service's log with what it has kept: a split or rewritten log is two texts for others to judge."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tafelrunde.client import Client
from tafelrunde.client.keeping import read_kept
from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.transparency.log import MatchProofs, TransparencyLog
from tafelrunde.service.features.transparency.memory import MemoryTransparency
from tafelrunde.service.features.transparency.port import Leaf, LeafKind
from tafelrunde.service.runtime.signing_file import key_file
from tafelrunde.service.signing.signer import signer_of
from tests.support.paths import ROOT
from tests.support.processes import run
from tests.support.served import Service, service
from tests.support.the_log import log_of, sign_with
from tests.web.conftest import STAYING, Visitor, door, forget, late, settled, wait
from tests.web.test_kept import FITS, begun, kept

DEVICE = ".audit.device"
REWRITTEN = "The server's log does not continue the one that this browser has kept: something in it was changed afterwards."
UNPROVED = "Checked on this device: nothing is wrong, but not everything is proved."
INSECURE = "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })"
WITHOUT_ED25519 = """
const usual = SubtleCrypto.prototype.importKey;
SubtleCrypto.prototype.importKey = function (form, bytes, kind, ...rest) {
  if (kind.name === "Ed25519") return Promise.reject(new DOMException("not here", "NotSupportedError"));
  return usual.call(this, form, bytes, kind, ...rest);
};
"""


@pytest.fixture(scope="module", autouse=True)
def others() -> Iterator[None]:
    """Pages of these services stay loaded for each other, and for no service of another file."""
    yield
    forget(f"http://127.0.0.1:{door().getsockname()[1]}")


@pytest.fixture
def served() -> Iterator[Service]:
    """A service of a test's own: what it shows of its log is changed."""
    with service(around=late, door=door()) as running:
        STAYING.add(running.url)
        yield running
        STAYING.clear()


@pytest.fixture
def visitor(browser: Browser, served: Service) -> Iterator[Visitor]:
    """A visitor of that service."""
    made = Visitor(browser, served.url)
    yield made
    made.close()


def leaves_of(served: Service) -> Sequence[Leaf]:
    """Return all leaves of the log."""
    return served.do(log_of(served).leaves(0, 1_000))


def show(served: Service, leaves: Sequence[Leaf]) -> None:
    """Let the service show a log of other leaves from now on, signed by its own key."""

    async def shown() -> None:
        other = TransparencyLog(MemoryTransparency(), lambda: 0, log_of(served).signer)
        await other.add(leaves)
        log_of(served)._store = other._store

    served.do(shown())


def changed(leaf: Leaf) -> Leaf:
    """Return another leaf in the place of one that is no key."""
    return leaf if leaf.kind is LeafKind.KEY else msgspec.structs.replace(leaf, time_ms=leaf.time_ms + 1)


def has(served: Service, match: str, kind: LeafKind) -> bool:
    """Return whether the log has the opening or the end of a match."""
    return any(leaf.match == match and leaf.kind is kind for leaf in leaves_of(served))


def logged_first(visitor: Visitor, served: Service) -> None:
    """Let the log have an entry before the match of a test begins: an empty log is the beginning of any other."""
    with Client(visitor.url) as other:
        other.sign_up("Other")
        before = other.open_match("mondkrone", 2).match
    wait(visitor.page, lambda: has(served, before, LeafKind.OPENING))


def checked(visitor: Visitor, served: Service) -> tuple[Page, str]:
    """Return the page of a match that is over, kept and logged, just before it is checked."""
    logged_first(visitor, served)
    page, match = begun(visitor)
    kept(page, match)
    served.finish(match, random.Random(1))
    page.wait_for_selector(".result")
    wait(page, lambda: has(served, match, LeafKind.OPENING) and has(served, match, LeafKind.END))
    return page, match


def check(page: Page) -> None:
    """Have the match checked."""
    page.locator(".result > button", has_text="Check this match").click()
    page.wait_for_selector(DEVICE)


def judged(path: Path, *more: str) -> tuple[int, str]:
    """Return the exit code of the judge, and what it says."""
    done = run("judge", str(path), *more)
    return done.returncode, done.stdout + done.stderr


def saved(page: Page, button: str, folder: Path) -> Path:
    """Save a file by a button; return where it is."""
    settled(page)
    with page.expect_download() as download:
        page.locator(f"{DEVICE} {button}").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_log_that_goes_on_is_compared_with_the_kept_checkpoint(visitor: Visitor, served: Service) -> None:
    """The log, the opening and the end in it are listed, and that no witness has signed; the newest checkpoint is kept too."""
    page, match = checked(visitor, served)
    before = kept(page, match)
    check(page)
    expect(page.locator(f"{DEVICE} strong")).to_have_text(FITS)
    for said in (
        "goes on from the one that you received",
        "the opening of the match is in that log",
        "the end of the match is in that log",
        "that log has no other end of the match",
    ):
        expect(page.locator(f"{DEVICE} li", has_text=said)).to_have_count(1)
    expect(page.locator(f"{DEVICE} li", has_text="no witness has signed the log")).to_have_count(1)
    after = kept(page, match)
    assert after.checkpoints[:1] == before.checkpoints
    assert len(after.checkpoints) == 2


def test_witnesses_of_the_log_are_named(visitor: Visitor, served: Service, tmp_path: Path) -> None:
    """A cosignature that this device has checked is named by its witness."""
    page, _ = checked(visitor, served)
    assert run("witness", served.url, "--folder", str(tmp_path), "--name", "witness.example.org").returncode == 0
    check(page)
    expect(page.locator(f"{DEVICE} li", has_text="others have signed the log as well: witness.example.org")).to_have_count(1)
    expect(page.locator(f"{DEVICE} li", has_text="no witness")).to_have_count(0)


def sign_by(served: Service, folder: Path) -> str:
    """Let the service sign by the key of a data folder, as after a start with it; return the public key."""
    assert served.application is not None
    signer = signer_of(str(key_file(folder)), served.application.stores.id_key)
    sign_with(served, signer)
    served.do(log_of(served).note_key())
    return signer.public.text


def test_new_key_that_the_kept_one_has_signed_is_followed_and_no_other(visitor: Visitor, served: Service, tmp_path: Path) -> None:
    """The key is replaced while the match runs: log and marks are right by the hand-over in the log, and by nothing else."""
    first = sign_by(served, tmp_path)
    logged_first(visitor, served)
    page, match = begun(visitor)
    assert kept(page, match).keys[0] == first
    assert run("new-signing-key", str(tmp_path)).returncode == 0
    second = sign_by(served, tmp_path)
    served.finish(match, random.Random(1))
    page.wait_for_selector(".result")
    wait(page, lambda: has(served, match, LeafKind.OPENING) and has(served, match, LeafKind.END))
    check(page)
    expect(page.locator(f"{DEVICE} strong")).to_have_text(FITS)
    for said in ("the server's new key: it is signed with the one that this browser knew", "the server's signature on it"):
        expect(page.locator(f"{DEVICE} li", has_text=said)).to_have_count(1)
    after = read_kept(saved(page, ".evidence", tmp_path).read_bytes())
    assert after.keys[:2] == (second, first)
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    sign_by(served, nowhere)
    page.reload()
    page.wait_for_selector(".result")
    check(page)
    expect(page.locator(f"{DEVICE}.wrong p").first).to_have_text(
        "The log is signed with a key that the previous one has not confirmed."
    )


def test_rewritten_log_is_two_signed_texts_that_the_judge_reads(visitor: Visitor, served: Service, tmp_path: Path) -> None:
    """The kept checkpoint and the one of now contradict each other: the player saves both, and anyone can judge the file."""
    page, _ = checked(visitor, served)
    show(served, [changed(leaf) for leaf in leaves_of(served)])
    check(page)
    expect(page.locator(f"{DEVICE}.wrong strong")).to_have_text("Checked on this device: something is wrong.")
    expect(page.locator(f"{DEVICE} p").first).to_have_text(REWRITTEN)
    path = saved(page, ".contradiction", tmp_path)
    code, said = judged(path)
    assert (code, "it was rewritten" in said) == (1, True)
    with Client(served.url) as client:
        (key,) = client.signing_keys().keys
    assert judged(path, "--key", key)[0] == 1
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "leaves": []}))
    assert judged(path)[0] == 3


def test_split_log_is_two_signed_texts_of_one_size(visitor: Visitor, served: Service, tmp_path: Path) -> None:
    """This player was shown another log of the same size than the one that is shown now."""
    page, match = checked(visitor, served)
    check(page)
    expect(page.locator(f"{DEVICE} strong")).to_have_text(FITS)
    assert len(kept(page, match).checkpoints) == 2
    *before, last = leaves_of(served)
    show(served, [*before, changed(last)])
    page.reload()
    page.wait_for_selector(".result")
    check(page)
    expect(page.locator(f"{DEVICE} p").first).to_have_text(REWRITTEN)
    code, said = judged(saved(page, ".contradiction", tmp_path))
    assert (code, "two logs of" in said) == (1, True), said


def test_end_that_the_log_has_otherwise_is_wrong(visitor: Visitor, served: Service) -> None:
    """The leaf of the end binds the whole record, also what no one was shown."""
    page, match = checked(visitor, served)
    show(served, [changed(leaf) if (leaf.match, leaf.kind) == (match, LeafKind.END) else leaf for leaf in leaves_of(served)])
    check(page)
    expect(page.locator(f"{DEVICE}.wrong p").first).to_have_text(
        "The server's log has another end of this match than the record."
    )


def test_second_end_that_the_log_has_beside_the_proved_one_is_wrong(
    visitor: Visitor, served: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service proves the end that fits the record it shows, and hides the other; the entries of its log have both."""
    page, match = checked(visitor, served)
    end = next(leaf for leaf in leaves_of(served) if (leaf.match, leaf.kind) == (match, LeafKind.END))
    show(served, [*leaves_of(served), msgspec.structs.replace(end, version=end.version + 1, chain=bytes(32))])
    log = log_of(served)
    prove = log.prove

    async def prove_one(match_id: MatchId, size: int | None = None) -> MatchProofs:
        found = await prove(match_id, size)
        return msgspec.structs.replace(found, leaves=found.leaves[:1])

    monkeypatch.setattr(log, "prove", prove_one)
    check(page)
    expect(page.locator(f"{DEVICE}.wrong p").first).to_have_text(
        "The server's log has other ends of this match than those that it proves to you."
    )


def test_match_that_was_dropped_is_named_as_one_that_was_promised(visitor: Visitor, served: Service, tmp_path: Path) -> None:
    """What the service signed of it lies on this device, and can be saved."""
    page, match = checked(visitor, served)
    missing = {"type": "urn:tafelrunde:problem:not-found", "title": "There is no such thing.", "status": 404}

    def dropped(route: Route) -> None:
        route.fulfill(status=404, content_type="application/problem+json", body=json.dumps(missing))

    page.route(re.compile(rf"/api/v1/matches/{match}/(record|verification)"), dropped)
    check(page)
    expect(page.locator(f"{DEVICE}.wrong strong")).to_have_text("The server no longer shows this match.")
    expect(page.locator(f"{DEVICE} p").first).to_contain_text("It promised you this match")
    assert saved(page, ".evidence", tmp_path).read_text().count('"marks"') == 1
    page.route(re.compile(rf"/api/v1/matches/{match}(/|\?|$)"), dropped)
    page.reload()
    expect(page.locator(".notice").first).to_be_visible()
    expect(page.locator(f"{DEVICE}.wrong strong")).to_have_text("The server no longer shows this match.")
    path = saved(page, ".evidence", tmp_path)
    assert match in path.read_text()
    visitor.complaints = [line for line in visitor.complaints if "status of 404" not in line]


def test_page_without_https_says_what_it_cannot_check(browser: Browser, served: Service) -> None:
    """Hashes need WebCrypto, which plain http does not give; texts are compared all the same."""
    visitor = Visitor(browser, served.url)
    visitor.first(INSECURE)
    page, match = begun(visitor)
    page.wait_for_function("(match) => JSON.parse(localStorage.getItem(`tafelrunde.kept.${match}`))?.deals?.length", arg=match)
    served.finish(match, random.Random(1))
    page.wait_for_selector(".result")
    check(page)
    expect(page.locator(f"{DEVICE} p").first).to_have_text(
        "Shuffles and record were not checked: without HTTPS this browser cannot compute hashes (WebCrypto)."
    )
    expect(page.locator(f"{DEVICE} li")).to_have_text("✓ the commitments to the cards, as you received them")
    expect(page.locator(".audit.server strong")).to_have_text("The server says: everything is correct.")
    page.evaluate(
        "(name) => localStorage.setItem(name, JSON.stringify({...JSON.parse(localStorage.getItem(name)),"
        " commitment: '0'.repeat(64)}))",
        f"tafelrunde.kept.{match}",
    )
    page.reload()
    page.wait_for_selector(".result")
    check(page)
    expect(page.locator(f"{DEVICE}.wrong p").first).to_have_text(
        "The record has another commitment than the one that this browser received before the match."
    )
    visitor.close()


def test_browser_without_ed25519_leaves_a_match_undecided(browser: Browser, served: Service) -> None:
    """Signatures were not checked, all else was, and nothing is said about HTTPS."""
    visitor = Visitor(browser, served.url)
    visitor.first(WITHOUT_ED25519)
    page, _ = checked(visitor, served)
    check(page)
    expect(page.locator(f"{DEVICE} strong")).to_have_text(UNPROVED)
    expect(page.locator(f"{DEVICE} li", has_text="Not checked:")).to_have_text(
        "Not checked: this browser does not know the kind of signature (Ed25519)."
    )
    for said in ("shuffled again", "sent during the match", "the end of the match is in that log"):
        expect(page.locator(f"{DEVICE} li", has_text=said)).to_have_count(1)
    expect(page.locator(DEVICE)).not_to_contain_text("HTTPS")
    visitor.close()


def test_record_that_cannot_be_loaded_is_said_and_blamed_on_nothing_else(visitor: Visitor, served: Service) -> None:
    """A server that is busy has not dropped a match, and HTTPS has nothing to do with it."""
    page, match = checked(visitor, served)
    page.route(re.compile(rf"/api/v1/matches/{match}/record"), lambda route: route.fulfill(status=500, body="{}"))
    check(page)
    expect(page.locator(f"{DEVICE} p").first).to_have_text("Not checked: the record of the match could not be loaded.")
    visitor.complaints = [line for line in visitor.complaints if "status of 500" not in line]


def test_what_is_said_is_there_in_both_languages() -> None:
    """The words of the check are loaded with it, and are complete like all others."""
    text = (ROOT / "api" / "web" / "proof" / "result.js").read_text(encoding="utf-8")
    german, english = (re.findall(rf'(?:\{{ |^    ){language}: "[^"]+"', text, re.MULTILINE) for language in ("de", "en"))
    there = re.findall(r"^  \w+: \{(?: de:.* en:.*\},|\n    de: .*\n    en: .*\n  \},)$", text, re.MULTILINE)
    assert len(there) == len(german) > 25, len(english)
