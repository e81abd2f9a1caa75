"""What the client offers beside playing: hints, text mode, settings, ways back to the table and to others'."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, over_http, table
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-features")]


@pytest.mark.parametrize(("status", "times"), [(429, 6), (500, 2)])
def test_table_is_looked_at_again_when_the_service_failed_for_a_moment(
    visitor: Visitor, served: Service, status: int, times: int
) -> None:
    """The last event of a match was heard, but the look that it asks for was refused: the result comes nevertheless."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        expect(page.locator(".status")).to_be_visible()
        refusals: list[str] = []

        def refuse(route: Route) -> None:
            if len(refusals) == times:
                route.continue_()
                return
            refusals.append(route.request.url)
            route.fulfill(status=status, json={"status": status, "title": "Not now"})

        page.route("**/view", refuse)
        party.finish()
        expect(page.locator(".result")).to_be_visible()
        assert len(refusals) == times
    visitor.complaints = [each for each in visitor.complaints if f"status of {status}" not in each]


def test_hint_is_offered_at_a_table_that_was_opened_with_hints(visitor: Visitor) -> None:
    """One tick in the lobby; at the table one key shows what the best moves are worth, also in text mode, until it is answered.

    They are in the service's order: the one to play comes first, and another one may be worth more, in fewer worlds.
    """
    page = visitor.visit("/")
    page.locator("[data-game=meister-coup] .choose").click()
    page.locator("#wish summary").click()
    page.locator("#wish .check", has_text="hints").click()
    page.locator("#wish .main").click()
    page.wait_for_selector(".ask")
    with page.expect_response(lambda response: response.url.endswith("/hint")) as answer:
        page.keyboard.press("h")
    page.wait_for_selector(".advised")
    told = page.locator(".advised li").all_inner_texts()
    assert 2 <= len(told) <= 4
    expect(page.locator(".star")).to_have_count(1)
    why = answer.value.json()["why"]
    expect(page.locator(".advice .why")).to_have_text(
        why["text"]["en"] if why else "No move is clearly better than the next best one here."
    )
    moves = answer.value.json()["moves"][: len(told)]
    shown = [line.split()[0] for line in told]
    for place, move in zip(shown, moves, strict=True):
        assert place == "–" if not move["worlds"] else abs(int(place) - 100 * move["worth"]) <= 0.51
    page.keyboard.press("t")
    expect(page.locator(".textmode .advised li")).to_have_count(len(told))
    page.locator(".textmode input").fill("1")
    page.locator(".textmode input").press("Enter")
    expect(page.locator(".advised")).to_have_count(0)


def test_no_hint_is_offered_where_there_are_none(visitor: Visitor, served: Service) -> None:
    """A match says from its opening whether it has hints."""
    with Party(served.url, "coup", 2, options={"first_seat": 0}) as party:
        page = table(visitor, party.start())
        page.wait_for_selector(".moves button")
        expect(page.locator(".ask")).to_have_count(0)


def test_player_comes_back_by_one_button(visitor: Visitor, served: Service) -> None:
    """A computer sits in for a player who left or was absent for too long; the seat is the player's own again at once."""
    with Party(served.url, "coup", 2, options={"first_seat": 1}) as party:
        page = table(visitor, party.start())
        page.locator("footer button", has_text="Leave").click()
        page.locator("dialog button", has_text="Leave").click()
        back = page.locator(".away button", has_text="Take my seat back")
        expect(back).to_be_visible()
        expect(page.locator("footer button", has_text="Leave")).to_have_count(0)
        back.click()
        expect(back).to_have_count(0)
        assert party.clients[0].match(party.match).chairs[0].bot is None


def test_own_seat_is_up_to_date_when_the_stream_is_behind(visitor: Visitor, served: Service) -> None:
    """What a player has changed about the seats is shown after the answer, before the stream brings it."""
    with Party(served.url, "coup", 2, options={"first_seat": 1}) as party:
        over_http(visitor)
        visitor.page.route("**/stream*", lambda _: None)  # never answered
        page = table(visitor, party.start())
        page.locator("footer button", has_text="Leave").click()
        page.locator("dialog button", has_text="Leave").click()
        page.locator(".away button", has_text="Take my seat back").click()
        expect(page.locator("footer button", has_text="Leave")).to_be_visible()


def test_text_mode_plays_by_a_command_line(visitor: Visitor) -> None:
    """The number of a move, or a part of its text; input that matches nothing gets a message."""
    page = visitor.begin("coup", seats=2)
    page.wait_for_selector(".status.mine")
    page.keyboard.press("t")
    box = page.locator(".textmode input")
    for line, answer in (("nonsense", "not a possible move"), ("help", "Type the number")):
        box.fill(line)
        box.press("Enter")
        expect(page.locator(".textmode [role=alert]")).to_contain_text(answer)
    caught_up(page)
    before = page.locator(".textmode .told").text_content() or ""
    box.fill("1")
    box.press("Enter")
    expect(page.locator(".textmode .told")).not_to_have_text(before)


def test_next_player_can_start_when_the_host_has_left(visitor: Visitor, served: Service) -> None:
    """The table continues: the new host may seat a computer and start."""
    with Party(served.url, "coup", 2) as party:
        party.seat(visitor.page, 1)
        page = visitor.visit(party.address)
        start = page.locator("footer button", has_text="Start")
        expect(page.locator("footer button", has_text="Leave")).to_be_visible()
        expect(start).to_have_count(0)
        party.clients[0].leave(party.match)
        page.locator(".seats button", has_text="Add a bot").click()
        start.click()
        expect(start).to_have_count(0)
        assert party.clients[1].match(party.match).status == "running"


def test_link_is_followed_from_the_lobby(visitor: Visitor, finished: Party) -> None:
    """An invitation can be pasted into a field."""
    page = visitor.visit("/")
    page.locator(".by-link input").fill(f"look: {finished.url}/match/{finished.match} !")
    page.locator(".by-link button").click()
    page.wait_for_selector(".result")


def test_menu_is_shut_by_a_click_beside_it_or_by_escape(visitor: Visitor, finished: Party) -> None:
    """It lies above the table, so it goes away like any menu; Escape leaves the replay only after that."""
    page = table(visitor, finished, "/12")
    page.wait_for_selector(".replay .scrub")
    summary = page.locator(".menu summary")
    box = page.locator(".menu label").first
    summary.click()
    expect(box).to_be_visible()
    page.locator("h1").click()
    expect(box).to_be_hidden()
    summary.click()
    page.locator(".menu p.quiet").click()
    expect(box).to_be_visible()
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(summary).to_be_focused()
    expect(page.locator(".replay")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".replay")).to_have_count(0)


def test_settings_are_kept_on_one_s_own_page(visitor: Visitor, finished: Party) -> None:
    """Who wants no motion says so once."""
    page = table(visitor, finished)
    page.locator(".menu summary").click()
    page.locator(".menu select").select_option("off")
    expect(page.locator(".still")).to_have_count(1)
    page.reload()
    expect(page.locator(".still")).to_have_count(1)


def test_language_is_two_taps_away_at_a_table_on_a_phone(phone: Visitor, finished: Party) -> None:
    """There is no room for the page's head there, so the settings have it; it is kept."""
    page = table(phone, finished)
    expect(page.locator(".languages")).to_be_hidden()
    page.locator(".menu summary").click()
    page.locator(".menu [lang=en]").click()
    expect(page.locator(".status")).to_have_text("The match is over.")
    assert page.locator("html").get_attribute("lang") == "en"
    page.reload()
    expect(page.locator(".status")).to_have_text("The match is over.")


def test_passing_for_a_turn_answers_all_its_windows(visitor: Visitor, served: Service) -> None:
    """P passes now, and a later window of the turn does not ask again; the next turn does."""
    with Party(served.url, "coup", 3, options={"first_seat": 1}) as party:
        page = table(visitor, party.start())
        party.answer(1, {"type": "coup.claim-steal", "target": 2})
        page.wait_for_selector(".moves button")
        page.keyboard.press("p")
        page.wait_for_selector(".status:not(.mine)")
        party.answer(2, {"type": "coup.pass"})
        party.answer(2, {"type": "coup.block", "role": "captain"})
        party.answer(1, {"type": "coup.pass"})
        expect(page.locator(".status")).to_contain_text("Player 2's turn")
        party.answer(2, {"type": "coup.claim-tax"})
        expect(page.locator(".status.mine")).to_contain_text("Player 2 claims to be the duke")


def test_table_goes_on_where_no_frames_are_drawn(newcomer: Visitor) -> None:
    """As in a hidden tab: what was left to the table is done, and a sound is still played."""
    newcomer.first("window.requestAnimationFrame = () => 0")
    page = newcomer.begin("coup", seats=2)
    page.locator(".moves button").first.click()
    expect(page.get_by_role("log").locator("p").nth(1)).to_be_attached()
