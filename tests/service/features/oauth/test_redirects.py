"""Where an application may have players sent back to."""

from __future__ import annotations

import pytest

from tafelrunde.service.features.oauth.redirects import LONGEST, fault_of, fits, host_of, with_answer

GOOD = (
    "https://clock.example/back",
    "https://clock.example:8443/back?of=cards",
    "http://127.0.0.1/back",
    "http://[::1]:7000/",
    "http://localhost:3000/back",
    "com.example.clock:/back",
    "https://xn--bcher-kva.example/",
)
BAD = (
    "",
    "http://clock.example/back",
    "https://clock.example/back#fragment",
    "https://anna@clock.example/",
    "https:///back",
    "https://clock.example:0/",
    "https://clock.example:99999/",
    "https://bücher.example/",
    "https://clock.example/two words",
    "https://clock.example\\@evil.example/",
    "https://Clock.example/",
    "HTTPS://clock.example/",
    "https://evil.example\n/",
    "http://127.0.0.1.evil.example/",
    "http://127.1/",
    "javascript:alert(1)",
    "javascript://clock.example/%0aalert(1)",
    "data:text/html,x",
    "clock:/back",
    "com.example.clock:back",
    "//clock.example/back",
    "/back",
    "https://clock.example/" + "x" * LONGEST,
)


@pytest.mark.parametrize("address", GOOD)
def test_address_is_good_when_it_is_of_a_host_or_a_device(address: str) -> None:
    """By https, by http on this machine, or by a scheme that is the name of a domain."""
    assert fault_of(address) is None
    assert fits(address, address)


@pytest.mark.parametrize("address", BAD)
def test_address_is_refused_when_it_may_lead_elsewhere(address: str) -> None:
    """Such as script, plain text over the net, another user, or what people read differently from browsers."""
    assert fault_of(address) is not None


def test_address_fits_when_it_is_the_same_letter_by_letter() -> None:
    """Only an app on this machine may listen on any port, at an address of numbers."""
    assert fits("http://127.0.0.1/back", "http://127.0.0.1:49152/back")
    assert fits("http://[::1]/back", "http://[::1]:1/back")
    for registered, asked in (
        ("https://clock.example/back", "https://clock.example/back/"),
        ("https://clock.example/back", "https://clock.example/back?more=1"),
        ("https://clock.example/back", "https://clock.example:444/back"),
        ("https://clock.example/back", "https://clock.example.evil.example/back"),
        ("http://127.0.0.1/back", "http://127.0.0.1:9/other"),
        ("http://127.0.0.1/back", "http://anna@127.0.0.1:9/back"),
        ("http://127.0.0.1/back", "http://[::1]:9/back"),
        ("http://127.0.0.1/back", "http://127.0.0.1:9/back#x"),
        ("http://localhost:3000/back", "http://localhost:3001/back"),
    ):
        assert not fits(registered, asked)


def test_people_see_the_host_of_an_address() -> None:
    """Or the scheme of an app, which has none: what stands in the place of a host there is of the app's choice."""
    assert [host_of(each) for each in (GOOD[1], GOOD[3], GOOD[5])] == ["clock.example", "::1", "com.example.clock:"]
    assert host_of("com.example.clock://bank.example/back") == "com.example.clock:"


def test_answer_stands_behind_what_an_address_has() -> None:
    """Escaped, so that no value adds a parameter."""
    assert with_answer("https://a.example/", {"state": "x&y"}) == "https://a.example/?state=x%26y"
    assert with_answer("https://a.example/?b=1", {"c": "2"}) == "https://a.example/?b=1&c=2"
