"""What is looked at again of a match: with any eyes, from any point, checked, reviewed, and taken up in practice."""

from __future__ import annotations

import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tafelrunde.client import ApiError
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, table
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-looking-back")]


def test_replay_shows_every_seat_s_cards_once_the_match_is_over(visitor: Visitor, finished: Party) -> None:
    """The public's eyes see no hand, a seat's eyes its own, all eyes all."""
    page = table(visitor, finished, "/12")
    eyes = page.locator(".eyes select")
    for seen, trays in (("spectators", 0), ("Player 1", 1), ("all seats", 2), ("Player 0", 1)):
        eyes.select_option(label=seen)
        expect(page.locator(".replay .tray")).to_have_count(trays)
        expect(page.locator(".replay .tray .seat")).to_have_count(trays)
        you = page.locator(".replay .seat", has_text="(you)")
        expect(you).not_to_have_count(0)
        marked = set(you.evaluate_all("all => all.map((each) => each.ariaLabel)"))
        assert marked == {"Player 0"}, "the viewer stays marked as themselves, from any perspective"


def test_address_leads_to_a_point_and_to_a_seat(visitor: Visitor, finished: Party) -> None:
    """The address of a replay has its point and its perspective; opening the address leads there."""
    page = table(visitor, finished, "/12/1")
    expect(page.locator(".replay .tray .seat")).to_have_attribute("aria-label", "Player 1")
    said = page.locator(".replay .status").inner_text()
    page.locator(".scrub button").nth(4).click()
    expect(page.locator(".replay .status")).not_to_have_text(said)
    page.wait_for_function("() => !location.hash.endsWith('/12/1') && location.hash.endsWith('/1')")
    page.locator(".replay-bar button").last.click()
    page.wait_for_function("address => location.hash === `#${address}`", arg=finished.address)
    visitor.visit(f"{finished.address}/12/0")
    expect(page.locator(".replay .tray .seat")).to_have_attribute("aria-label", "Player 0")
    expect(page.locator(".replay .status")).to_have_text(said)


def test_line_of_the_log_leads_to_the_table_as_it_was(visitor: Visitor, finished: Party) -> None:
    """A click on a line opens the replay at that line."""
    page = table(visitor, finished)
    page.locator(".log summary").click()
    caught_up(page)
    line = page.locator(".log li button").nth(3)
    said = line.inner_text()
    line.click()
    expect(page.locator(".replay .status")).to_have_text(said)


def test_practice_begins_from_any_point_of_a_finished_match(visitor: Visitor, finished: Party) -> None:
    """What if: a new table against computers, with the same player at the same point."""
    page = table(visitor, finished, "/12")
    page.locator(".replay-bar button", has_text="Practise").click()
    page.wait_for_function("address => !location.hash.startsWith(`#${address}`)", arg=finished.address)
    page.wait_for_selector(".board .tray")


def test_finished_match_is_checked_in_front_of_its_players(visitor: Visitor, finished: Party) -> None:
    """The audit shows the chain, the dealing and the rules."""
    page = table(visitor, finished)
    page.locator(".result > button").click()
    expect(page.locator(".audit.server li")).to_have_count(3)
    expect(page.locator(".audit.server strong")).to_have_text("The server says: everything is correct.")


def test_match_of_other_rules_is_neither_right_nor_wrong(
    visitor: Visitor, served: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a match played under another version of the rules, the audit shows what it could check."""
    with Party(served.url, "coup", 2) as party:
        party.start().finish(served)
        monkeypatch.setattr(type(GAMES[GameId("coup")]), "rules_version", 99)
        page = table(visitor, party)
        page.locator(".result > button").click()
        expect(page.locator(".audit.server strong")).to_contain_text("nothing is wrong, but not everything is proved")
        expect(page.locator(".audit.server li")).to_have_count(2)
        expect(page.locator(".audit.wrong")).to_have_count(0)


def test_audit_tells_what_was_taken_over_from_another_match(visitor: Visitor, finished: Party) -> None:
    """A match that was taken up has events that were not dealt in it, which its record does not prove; it names its origin."""
    host = finished.clients[0]
    decisions = [item.event["decision"] for item in host.feed(finished.match).items if "decision" in item.event]
    taken = host.what_if(finished.match, max(decisions), 0).match
    finished.seat(visitor.page, 0)
    page = visitor.visit(f"/match/{taken}")
    expect(page.locator(".practice a")).to_have_attribute("href", f"#{finished.address}")
    until = time.monotonic() + PATIENCE_SECONDS
    while (view := host.view(taken)).status == "running":
        assert time.monotonic() < until, "the match that was taken up does not end"
        if view.question is not None:
            with suppress(ApiError):
                host.play(taken, view.question.decision, view.question.legal[0])
        time.sleep(0.05)
    page.locator(".result > button").click()
    expect(page.locator(".audit.server strong")).to_have_text("The server says: nothing is wrong, but not everything is proved.")
    expect(page.locator(".audit.server li").last).to_have_text(re.compile(r"^the first \d+ events come from another match"))


def test_review_says_what_a_seat_s_moves_cost_and_leads_there(visitor: Visitor, finished: Party) -> None:
    """The seat whose eyes one looks with is gone through; what cost most is listed, each move with the way to it."""
    page = table(visitor, finished, "/12")
    offer = page.locator(".replay-bar button", has_text="Review")
    for seat, eyes in ((0, "Player 0"), (1, "Player 1")):
        page.locator(".eyes select").select_option(label=eyes)
        offer.click()
        page.locator(".advice summary").click()
        expect(offer).to_have_count(0)
        coaching = finished.clients[0].coaching(finished.match, seat)
        dear = page.locator(".dear button")
        expect(dear).to_have_count(len(coaching.puzzles))
        losses = [int(re.findall(r"−(\d+)$", line)[0]) for line in dear.all_inner_texts()]
        assert losses == sorted(losses, reverse=True)
        said = dear.first.inner_text()
        dear.first.click()
        expect(page.locator(".advice h3")).to_have_text(eyes)
        expect(page.locator(".advice h4")).to_have_text(said)
        expect(page.locator(".advice p").first).to_contain_text("chance of winning")
        expect(page.locator(".advised .played")).to_have_count(1)


def test_review_is_not_offered_to_who_may_not_ask_for_it(visitor: Visitor, finished: Party) -> None:
    """Without a token there is no coaching, whatever one looks at."""
    page = visitor.visit(f"{finished.address}/12/0")
    page.evaluate("localStorage.clear()")
    page.reload()
    page.wait_for_selector(".eyes select")
    expect(page.locator(".replay-bar button", has_text="Review")).to_have_count(0)
