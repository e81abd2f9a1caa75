"""Signed notes, as others write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.signing.notes import (
    BadNote,
    Kind,
    PrivateKey,
    cosigned_at,
    is_signed,
    read_note,
    read_public,
)
from tafelrunde.service.signing.signer import signer_of
from tafelrunde.service.signing.statements import (
    FeedMark,
    Mark,
    Origin,
    TreeHead,
    checkpoint_text,
    mark_text,
    read_statement,
)

NEUMANN = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
CRYPTOGRAPHY = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
"""The example of Go's package golang.org/x/mod/sumdb/note."""
MATCH = MatchId("m" + 24 * "a")
KEY = PrivateKey("tafelrunde/0123456789abcdef", bytes(range(32)))


def test_note_of_others_is_valid() -> None:
    """A note that another library has signed is read, checked, and written as it was."""
    note = read_note(CRYPTOGRAPHY)
    assert is_signed(note, read_public(NEUMANN))
    assert str(note) == CRYPTOGRAPHY
    assert read_public(NEUMANN).text == NEUMANN


@given(place=st.integers(0, len(CRYPTOGRAPHY) - 1), character=st.sampled_from("a \n\u2014=+0"))
def test_changed_note_is_not_valid(place: int, character: str) -> None:
    """No character of a note can be another one."""
    changed = CRYPTOGRAPHY[:place] + character + CRYPTOGRAPHY[place + 1 :]
    if changed == CRYPTOGRAPHY:
        return
    try:
        note = read_note(changed)
    except BadNote:
        return
    assert not is_signed(note, read_public(NEUMANN))


@pytest.mark.parametrize("text", ["", "a\n", "a\n\n", "a\n\nb\n", "a\n\n\u2014 b c\n", "a\n\n\u2014 b AAAAAAAA"])
def test_text_that_is_no_note_is_refused(text: str) -> None:
    """What has no signature lines of the right form is no note."""
    with pytest.raises(BadNote):
        read_note(text)


@pytest.mark.parametrize("text", ["", "a+b+c", NEUMANN.replace("c74f20a3", "c74f20a4"), NEUMANN.replace("Peter", "Paul")])
def test_key_that_does_not_fit_its_id_is_refused(text: str) -> None:
    """The id of a public key binds its name and bytes."""
    with pytest.raises(BadNote):
        read_public(text)


def test_cosignature_tells_its_time() -> None:
    """A witness signs the text and a time; neither can be another one, and it is no signature of the log."""
    witness = PrivateKey("example.org/witness", bytes(32), Kind.COSIGNATURE)
    note = KEY.sign(checkpoint_text(Origin(KEY.public.name), 3, bytes(32)))
    line = witness.cosign(note.text, 1_700_000_000)
    cosigned = read_note(f"{note}{line.line}\n")
    assert cosigned_at(cosigned, witness.public) == 1_700_000_000
    assert is_signed(cosigned, KEY.public)
    assert not is_signed(cosigned, witness.public)
    assert cosigned_at(cosigned, KEY.public) is None
    assert cosigned_at(read_note(str(cosigned).replace("\n3\n", "\n4\n")), witness.public) is None
    assert cosigned_at(note, witness.public) is None


@pytest.mark.parametrize(
    "statement",
    [
        TreeHead(origin=Origin("example.org/log"), size=0, root=bytes(32)),
        TreeHead(origin=Origin("example.org/log"), size=123_456_789, root=bytes(range(32))),
        FeedMark(origin=Origin("t/1"), mark=Mark(match=MATCH, seat=None, n=0, chain=bytes(32))),
        FeedMark(origin=Origin("t/1"), mark=Mark(match=MATCH, seat=Seat(10), n=250, chain=bytes(range(32)))),
    ],
)
def test_statement_is_read_as_it_was_written(statement: TreeHead | FeedMark) -> None:
    """Each statement has one text, and each text one statement."""
    if isinstance(statement, TreeHead):
        text = checkpoint_text(statement.origin, statement.size, statement.root)
    else:
        text = mark_text(statement.origin, statement.mark)
    assert read_statement(text) == statement
    for other in (text[:-1], f"{text}\n", text.replace("\n", "\r\n"), f" {text}"):
        with pytest.raises(BadNote):
            read_statement(other)


def test_keys_of_the_setting_sign_under_the_name_of_the_deployment() -> None:
    """The first key signs, the others are former ones; the name is the same with any of them."""
    derived = signer_of(None, bytes(32))
    first, second = "11" * 32, "22" * 32
    signer = signer_of(f"{first}\n{second}\n", bytes(32))
    former = signer_of(second, bytes(32)).public
    assert signer.origin == derived.origin == "tafelrunde/80de461e79976797"
    assert len({signer.public, former, derived.public}) == 3
    assert signer.handed_over(former, b"text") == PrivateKey(signer.origin, bytes.fromhex(second)).raw_signature(b"text")
    assert signer.handed_over(derived.public, b"text") == b""


@pytest.mark.parametrize("told", ["11" * 31, "", "/no/such/file", "GG" * 32, f"{'11' * 32} {'22' * 31}"])
def test_unusable_key_is_refused_without_telling_it(told: str) -> None:
    """A mistyped key stops the start, and the message does not have it."""
    with pytest.raises(StartupRefused) as refused:
        signer_of(told, bytes(32))
    assert "11" * 31 not in str(refused.value)
