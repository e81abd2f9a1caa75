"""The address that mail comes from: read strictly, because it stands in the head of every mail."""

from __future__ import annotations

from email import policy
from email.parser import Parser
from email.utils import parseaddr

import pytest

from tafelrunde.domain.wording import Language
from tafelrunde.service.environment import read_settings
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.features.notices.feature import FEATURE
from tafelrunde.service.features.notices.texts import Envelope, Words, mail


def check(address: str) -> None:
    """Raise StartupRefused if no mail can come from an address."""
    assert FEATURE.check is not None
    FEATURE.check(read_settings({"TAFELRUNDE_MAIL_FROM": address}))


@pytest.mark.parametrize(
    "address",
    [
        "=?utf-8?q?cards?=@example.org",
        "=?utf-8?b?Y2FyZHNAZXhhbXBsZS5vcmc=?=",
        ".cards@example.org",
        "cards.@example.org",
        "ca..rds@example.org",
        "cards@example..org",
        "cards@.example.org",
        "cards@-example.org",
        "cards@example.org.",
        "cards@exa_mple.org",
        "cards@example.org\n",
        "cards@example.org\r\nBcc: anna@example.org",
        '"cards"@example.org',
        "cards@example.org, anna@example.org",
        "cards@[192.0.2.1]",
        "kärtchen@example.org",
        "c" * 65 + "@example.org",
        "cards@" + "example." * 24 + "org",
    ],
)
def test_address_is_refused_when_it_does_not_stand_for_itself(address: str) -> None:
    """The service says so when it starts, and not each mail when it is sent."""
    with pytest.raises(StartupRefused, match="TAFELRUNDE_MAIL_FROM is no plain address like"):
        check(address)


@pytest.mark.parametrize(
    "address", ["cards@example.org", "no-reply+cards=1@mail.example.org", "c.a@xn--krtchen.example", "a@localhost"]
)
def test_address_stands_in_a_mail_as_it_was_set(address: str) -> None:
    """The one who reads the mail finds the same address."""
    check(address)
    envelope = Envelope(address, "anna@example.org", "n1", None)
    made = mail(envelope, Words("Title", "Body"), Language.EN, "https://cards.example/")
    read = Parser(policy=policy.default).parsestr(made.as_string())
    assert parseaddr(read["From"]) == ("Tafelrunde", address)
