"""Pauses after a trick and after a round. Until a pause is over, or is ended by the player, nothing new is shown."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import facts_of
from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service
from tests.support.thorough import tries
from tests.web.conftest import Visitor, pause
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-pace")]

HOLD = """async (all) => {
  const { PACE } = await import(new URL("table/stage.js", document.querySelector("script[type=module]").src));
  window.altered?.push(["table/stage.js", "PACE"]);
  Object.assign(PACE, { trick: 1e9, round: 1e9, part: 1e6, late: 1e9 }, all);
}"""
"""Let every pause last until it is ended, and wait for the cards of a trick for as long as it takes."""
WON: dict[str, str] = {game: won for game in GAMES if (won := facts_of(game).trick_won)}
LAST_CARDS = 2
"""With this many cards left a browser joins for the end of a round."""
MOST_MATCHES = 20
"""In one of ten, seat 0 wins no trick of the first round."""
CARDS = ".resting .middle .trick figure .face:not(.gap)"
LIE = """([selector, wanted]) => {
  const { shadowRoot, store, page } = document.querySelector("game-table") ?? {};
  if (!shadowRoot) return false; // its module is still on its way
  const faces = shadowRoot.querySelectorAll(selector);
  const aborted = store.known?.view.status === "aborted" && !page.replay;
  if (store.refused || aborted) throw new Error("nothing will lie there any more");
  return String([...faces].map((each) => each.title.split(",")[0]).sort()) === String(wanted);
}"""


def seated(browser: Browser, party: Party, **pace: float) -> tuple[Visitor, Page]:
    """Let a browser take the place of seat 0, where everything rests."""
    visitor = Visitor(browser, party.url)
    party.seat(visitor.page, 0)
    page = visitor.visit(party.address)
    page.wait_for_selector(".board .seat")
    page.evaluate(HOLD, pace)
    party.shown(page)
    return visitor, page


def events(party: Party) -> list[dict[str, Any]]:
    """Return all that has happened, as seat 0 knows it."""
    return [item.event for item in party.feed()]


def count(party: Party, name: str) -> int:
    """Return how often that has happened."""
    return sum(event["type"].endswith(f".{name}.1") for event in events(party))


def play_until(party: Party, name: str) -> None:
    """Let all answer until that happens once more."""
    before = count(party, name)
    party.answer_until(lambda _: count(party, name) > before)


def tick_until(page: Page, true: Callable[[], bool]) -> None:
    """Let the page's clock go on in small steps until something is true."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not true():
        page.clock.run_for(20)
        assert time.monotonic() < until


def last_trick(party: Party) -> list[str]:
    """Return the cards that were played last, as many as there are seats, as they are called, sorted."""
    messages = party.clients[0].game(party.game).messages
    played = [event["card"] for event in events(party) if event["type"].endswith(".card-played.1")]
    return sorted(messages[f"{party.game}.card.{card}"].en for card in played[-len(party.clients) :])


def rests(page: Page, party: Party) -> None:
    """Wait until the cards that were played last lie there, all of them."""
    page.wait_for_function(LIE, arg=[CARDS, last_trick(party)])


@pytest.fixture(params=WON)
def party(request: pytest.FixtureRequest, served: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Party]:
    """A match of a game with tricks, which no lucky cards end in the middle of a round."""
    game: GameId = request.param
    monkeypatch.setattr("tafelrunde.domain.meister_coup.rules.ENOUGH", 99)
    with Party(served.url, game, GAMES[game].min_seats, options=facts_of(game).fixed_options) as made:
        yield made.start()


def test_trick_rests_with_all_its_cards_until_it_is_gone_on_from(browser: Browser, party: Party) -> None:
    """The card that ended it lies there, by any player; nothing can be answered, and a key or a tap answers nothing."""
    visitor, page = seated(browser, party)
    for go_on in ("key", "tap"):
        play_until(party, WON[party.game])
        rests(page, party)
        expect(page.locator(".status")).to_contain_text(re.compile("takes? the trick"))
        expect(page.locator(".hand .legal, .moves button")).to_have_count(0)
        before = len(events(party))
        if go_on == "key":
            page.keyboard.press("1")
        else:
            page.locator(".hand .card").first.click(force=True)
        expect(page.locator(".resting")).to_have_count(0)
        party.shown(page)
        assert len(events(party)) == before
    visitor.close()


def rests_by_itself(browser: Browser, served: Service) -> bool:
    """Check it on the first trick that seat 0 wins in the first round; return whether there was one."""
    with Party(served.url, "matchmaster", 3, options={}) as party:
        visitor = Visitor(browser, served.url, fresh=True)
        party.start().seat(visitor.page, 0)
        visitor.page.clock.install()
        page = visitor.visit(party.address)
        page.wait_for_selector(".board .seat")
        party.answer_until(lambda view: view.table is not None and view.table["stage"] != "bid")
        party.answer_until_asked(0)
        page.wait_for_selector(".hand .legal")
        pause(page)
        resting, legal = page.locator(".resting"), page.locator(".hand .legal")
        while True:
            play_until(party, "trick-won")
            if count(party, "dealt") > 1:
                visitor.close()
                return False
            tick_until(page, lambda: resting.count() > 0)
            page.clock.run_for(1_000)
            expect(page.locator(CARDS)).to_have_count(3)
            if party.view(0).question is not None:
                break
            page.keyboard.press("1")
            tick_until(page, lambda: resting.count() == 0)
        before = len(events(party))
        page.clock.run_for(180)
        expect(legal).to_have_count(0)
        page.clock.run_for(60)
        expect(resting).to_have_count(0)
        legal.first.click()
        page.clock.run_for(300)
        assert len(events(party)) == before
        legal.first.click()
        tick_until(page, lambda: len(events(party)) > before)
        visitor.close()
        return True


def test_trick_rests_for_a_moment_by_itself(browser: Browser, served: Service) -> None:
    """1.2 seconds by the page's clock; then the table is as it is now. A click that comes right after that answers nothing."""
    assert any(rests_by_itself(browser, served) for _ in range(MOST_MATCHES))


def test_last_trick_of_a_round_rests_and_then_its_result(browser: Browser, party: Party) -> None:
    """All players' results stay until the next hand is shown, and a key continues."""
    party.answer_until(lambda view: view.table is not None and len(view.table["hand"]) == LAST_CARDS)
    visitor, page = seated(browser, party)
    while count(party, "round-scored") == 0:
        play_until(party, WON[party.game])
        rests(page, party)
        page.keyboard.press("Enter")
    expect(page.locator(".round-result tbody tr")).to_have_count(len(party.clients))
    expect(page.locator(".hand, .moves, .rulecard, .bids")).to_have_count(0)
    scored = next(event for event in events(party) if event["type"].endswith(".round-scored.1"))
    points = scored.get("points") or scored["scores"]
    cells = page.locator(".round-result tbody tr").evaluate_all("all => all.map((each) => each.innerText.replaceAll('−', '-'))")
    for told, made in zip(cells, points, strict=True):
        assert re.search(rf"[+]?{made}\b", told)
    page.locator(".go-on").click()
    expect(page.locator(".round-result")).to_have_count(0)
    expect(page.locator(".hand .card")).not_to_have_count(0)
    visitor.close()


@pytest.mark.parametrize("party", [*WON][: tries(1, len(WON))], indirect=True)
def test_several_tricks_that_ended_while_away_are_one(browser: Browser, party: Party) -> None:
    """Returning to the page shows the last trick that ended, and then the table as it is now; that is the same in all games."""
    visitor, page = seated(browser, party)
    visitor.context.set_offline(True)
    for _ in range(4):
        play_until(party, WON[party.game])
    visitor.context.set_offline(False)
    expect(page.locator(CARDS)).to_have_count(len(party.clients))
    for _ in range(2):
        page.keyboard.press("Enter")
    expect(page.locator(".resting")).to_have_count(0)
    visitor.close()


def test_replay_shows_a_trick_with_all_its_cards_and_the_result_of_a_round(browser: Browser, party: Party) -> None:
    """Also the last trick of a round, whose command deals the next one."""
    play_until(party, "round-scored")
    cards = last_trick(party)
    items = party.feed()
    names = (WON[party.game], "round-scored")
    ends = [next(item.n for item in items[::-1] if item.event["type"].endswith(f".{name}.1")) for name in names]
    visitor = Visitor(browser, party.url)
    party.seat(visitor.page, 0)
    page = visitor.visit(f"{party.address}/{ends[0]}")
    page.wait_for_function(LIE, arg=[CARDS.replace(".resting", ".replay"), cards])
    page = visitor.visit(f"{party.address}/{ends[1]}")
    expect(page.locator(".replay .round-result tbody tr")).to_have_count(len(party.clients))
    visitor.close()
