"""The web client in a real browser: what a visitor does with it, on wide and small screens."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress

import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect  # noqa: A004 - the browser's own word

from tafelrunde.domain.registry import GAMES
from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, pause, wait
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-play")]

MOVES_BY_HAND = 3
MOVES = ".moves button:enabled:visible, .rulecard, .hand .legal, .answer:enabled"
READY = f"{MOVES}, .result"


def move(page: Page, rng: random.Random) -> None:
    """Wait until there is something to do, and click on any of it."""
    if page.locator(".resting").count():
        page.keyboard.press("Escape")
    page.wait_for_selector(READY)
    confirm = page.locator(".confirm:enabled")
    found = confirm if confirm.count() else page.locator(MOVES)
    if count := found.count():
        with suppress(TimeoutError):  # a bot was quicker, and the question is another one
            found.nth(rng.randrange(count)).click(timeout=1_000)
    page.wait_for_timeout(20)


def test_newcomer_plays_a_match_to_its_end(visitor: Visitor, served: Service) -> None:
    """One click in the lobby, no account: a match against computers, up to the result with a winner."""
    page = visitor.begin("coup")
    rng = random.Random(1)
    for _ in range(MOVES_BY_HAND):
        move(page, rng)
    served.finish(page.url.rpartition("/")[2], rng)
    places = page.locator(".result li")
    expect(places).to_have_count(3)
    assert places.first.get_attribute("value") == "1"


def test_reactions_of_coup_have_number_keys(visitor: Visitor) -> None:
    """1 to 9 give the answers in their order."""
    page = visitor.begin("coup", seats=3)
    page.wait_for_selector(READY)
    caught_up(page)
    before = page.locator(".log summary").inner_text()
    page.keyboard.press("1")
    expect(page.locator(".log summary")).not_to_have_text(before)


def test_language_is_switched_without_reload(visitor: Visitor) -> None:
    """Lobby, table and rule sheet speak German and English."""
    page = visitor.visit("/")
    expect(page.locator("#games")).to_have_text("Games")
    page.locator(".languages [lang=de]").click()
    expect(page.locator("#games")).to_have_text("Spiele")
    page = visitor.begin("coup")
    page.wait_for_selector("text=Verlauf")
    assert page.locator("html").get_attribute("lang") == "de"


def test_friend_joins_by_the_address(visitor: Visitor, phone: Visitor) -> None:
    """Two browsers at one table: the second opens the first one's address, joins, and both play.

    While seats are free no one can start it; then its host can, and the others see who that is.
    """
    page = visitor.visit("/")
    page.locator("[data-game=coup] .choose").click()
    page.locator("#wish select").first.select_option("2")
    page.locator("#wish input[type=text]").fill("Mara")
    page.locator("#wish button:not(.main)").last.click()
    expect(page.locator(".status")).to_have_text("Some seats are still free.")
    expect(page.locator("footer .main")).to_be_disabled()
    other = phone.visit(page.url.partition("#")[2])
    other.locator(".invitation .main").click()
    expect(other.locator(".status")).to_have_text("Alle Plätze sind besetzt. Mara kann die Partie beginnen.")
    expect(page.locator(".status")).to_have_text("All seats are taken: you can start.")
    page.locator("footer .main").click()
    for each in (page, other):
        each.wait_for_selector(".ring")
    asked = [each for each in (page, other) if each.locator(".status.mine").count()]
    assert len(asked) == 1


def sure(page: Page, title: str) -> None:
    """Say yes where the page asks once more."""
    page.locator("dialog button", has_text=title).click()


def test_leaving_and_aborting_ask_first(visitor: Visitor) -> None:
    """To stay is what Enter and Escape mean, and no key answers the game meanwhile; after an abort one can play again at once."""
    page = visitor.begin("coup", seats=2)
    page.wait_for_selector(".status.mine")
    caught_up(page)
    before = page.locator(".log summary").inner_text()
    for title, key in (("Abort the match", "Enter"), ("Leave", "Escape")):
        page.locator("footer .ends button", has_text=title).click()
        expect(page.locator("dialog[open]")).to_have_count(1)
        expect(page.locator("dialog .main")).to_be_focused()
        page.keyboard.press("1")
        page.keyboard.press(key)
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator("footer .ends button", has_text=title)).to_be_focused()
    assert page.locator(".log summary").inner_text() == before
    page.locator("footer .ends button", has_text="Abort the match").click()
    sure(page, "Abort the match")
    page.locator("footer button", has_text="Play again").click()
    expect(page.locator(".board .seat")).to_have_count(2)
    expect(page.locator(".status")).not_to_have_text("The match was aborted.")


def test_wish_to_abort_is_seen_by_all(visitor: Visitor, served: Service) -> None:
    """A player who is asked to agree sees it, and one who has agreed is not asked again. Computers agree at once."""
    with Party(served.url, "coup", 2) as party:
        party.start().seat(visitor.page, 0)
        page = visitor.visit(party.address)
        button = page.locator("footer button", has_text="Propose to abort")
        expect(button).to_be_visible()
        party.clients[1].abort(party.match)
        expect(page.locator(".wishes")).to_have_text("In favour of aborting: Player 1. All have to agree.")
        button.click()
        sure(page, "Propose to abort")
        expect(page.locator(".status")).to_have_text("The match was aborted.")
        expect(page.locator("footer button")).to_have_text(["Play again", "Replay"])
    page = visitor.begin("coup")
    expect(page.locator(".wishes")).to_have_count(0)
    page.locator("footer button", has_text="Abort the match").click()
    sure(page, "Abort the match")
    expect(page.locator(".status")).to_have_text("The match was aborted.")


def listed(party: Party) -> list[str | None]:
    """Return who sits at an open match by the service's list, which follows what happens after a moment."""
    found = party.clients[0].matches(status="open").items
    return [chair.name for each in found if each.match == party.match for chair in each.chairs]


def test_lobby_shows_what_others_open_meanwhile(timed: Visitor, served: Service) -> None:
    """It asks again by itself. One's own table is no table to join."""
    timed.page.clock.install()
    page = timed.visit("/")
    page.wait_for_selector(".tile")
    pause(page)
    with Party(served.url, "mondkrone", 2, names=("Nele", "Olaf")) as party:
        party.clients[1].leave(party.match)
        wait(page, lambda: listed(party) == ["Nele", None])  # or the page would have to ask once more
        expect(page.locator(".matches li", has_text="Nele")).to_have_count(0)
        page.clock.run_for(15_000)
        page.clock.resume()
        expect(page.locator(".matches li", has_text="Nele").locator("button")).to_have_text("Join")
        party.seat(timed.page, 0)
        page.reload()
        mine = page.locator(".matches li", has_text="Nele")
        expect(mine).to_have_count(1)
        expect(mine.locator("button")).to_have_count(0)


def choose_cards(route: Route) -> None:
    """Ask for an option that the form offers with two seats only."""
    sent = route.request.post_data_json or {}
    route.continue_(post_data=json.dumps({**sent, "options": {"duel_draft": True}}))


def test_six_play_meister_coup_in_teams(visitor: Visitor) -> None:
    """Options that do not go together are not asked for; what is refused all the same is named in the visitor's language."""
    page = visitor.begin("meister-coup", seats=6)
    expect(page.locator(".seat")).to_have_count(6)
    page = visitor.visit("/")
    page.locator(".languages [lang=de]").click()
    page.locator("[data-game=coup] .choose").click()
    page.route("**/api/v1/matches", choose_cards)
    page.locator("#wish .main").click()
    expect(page.locator("[role=alert]")).to_have_text("Diese Spieleinstellungen gibt es nicht. Zu zweit: Karten wählen")
    page.unroute("**/api/v1/matches", choose_cards)
    visitor.complaints = [each for each in visitor.complaints if "status of 422" not in each]


def test_rule_sheets_are_read_on_a_phone_without_scrolling_sideways(phone: Visitor) -> None:
    """No table of a sheet is wider than the screen; one with sentences in many columns becomes a list of its rows."""
    for game in GAMES:
        page = phone.visit(f"/rules/{game}")
        expect(page.locator("h1")).to_have_text(re.compile(f"^{game}$".replace("-", "."), re.IGNORECASE))
        wide = page.locator(".scroll").evaluate_all("all => all.map((each) => each.scrollWidth - each.clientWidth)")
        assert set(wide) <= {0}, game
    page = phone.visit("/rules/coup")
    row = page.locator(".wordy tr", has_text="Mordanschlag")
    expect(row.locator("td:visible")).to_have_text(
        ["Mordanschlag", "Attentäterin", "3", re.compile("^das Ziel verliert"), re.compile("Contessa$")]
    )
    expect(page.locator(".wordy tr", has_text="Steuern").locator("td:visible")).to_have_count(3)


CLIPBOARD = "navigator.clipboard.readText()"


def test_invitation_and_embed_code_are_copied(visitor: Visitor) -> None:
    """The address leads to the table, and the frame shows it to who watches.

    Where nothing may be copied, as on a page that came over a plain line, the address stands there to be copied by hand.
    """
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visitor.visit("/")
    page.locator("[data-game=coup] .choose").click()
    page.locator("#wish button:not(.main)").last.click()
    page.locator("footer button", has_text="Copy the invitation").click()
    expect(page.locator(".notice")).to_have_text("Copied.")
    match = page.url.rpartition("/")[2]
    assert page.evaluate(CLIPBOARD) == f"{visitor.url}/match/{match}"
    page.locator(".menu summary").click()
    page.locator(".menu button", has_text="embed").click()
    wait(page, lambda: page.evaluate(CLIPBOARD).startswith("<iframe"))
    code = re.fullmatch(r'<iframe src="(\S+)" title="Tafelrunde" width="800" height="700"></iframe>', page.evaluate(CLIPBOARD))
    assert code is not None
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.locator("footer button", has_text="Copy the invitation").click()
    expect(page.locator(".notice input")).to_have_value(f"{visitor.url}/match/{match}")
    page.goto(code[1])
    expect(page.locator(".status")).to_have_text("Some seats are still free.")


def test_hand_of_eight_lies_in_one_row_on_a_phone(phone: Visitor) -> None:
    """No card is left alone in a second row; with one more there are two rows of nearly the same length."""
    page = phone.begin("meister-coup")
    expect(page.locator(".hand .card")).to_have_count(8)
    assert len(set(page.locator(".hand .card").evaluate_all("all => all.map((each) => each.offsetTop)"))) == 1
