"""Journeys of one person: a first match, a lesson, the deal of the day, a tournament, coming back, and a bad connection."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Browser, expect

from tafelrunde.client import Client
from tests.journeys.conftest import Meet
from tests.journeys.person import Person
from tests.support.processes import until
from tests.support.served import Service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("journeys-alone")]


def starts(person: Person, game: str = "Coup") -> None:
    """Start a match of a game with one tap."""
    person.opens("/")
    person.taps(f"{game}: Play")
    person.sees_the_table()


def test_stranger_opens_a_wrong_address_and_plays(meet: Meet) -> None:
    """A sentence says that there is nothing; one link leads to the games, and one tap into a match that asks something."""
    ada = meet(phone=True)
    ada.opens("/match/mabc")
    ada.sees("There is no such match, or it is not open to you.")
    ada.taps("To the lobby")
    ada.taps("Coup: Play")
    ada.sees_the_table()
    ada.answers()


def test_lesson_leads_into_a_match(meet: Meet, served: Service) -> None:
    """Ada reads what the lesson says, plays it to its end, and goes on to her first real match, which is no lesson."""
    ada = meet()
    ada.opens("/")
    ada.taps("Coup: Tutorial")
    ada.sees("Lesson", "lose both and you are out")
    ada.answers()
    lesson = ada.match
    ada.plays_to_the_end(served)
    ada.taps("I have got it: play a real match")
    ada.page.wait_for_url(lambda url: not url.endswith(lesson))
    ada.sees_the_table()
    ada.sees_no("Lesson")


def test_deal_of_the_day_is_played_and_ranked(meet: Meet, served: Service) -> None:
    """Ada plays today's deal once; its page then says her place, and offers no second try."""
    ada = meet(phone=True)
    ada.opens("/daily/coup")
    ada.sees("Deal of the day: Coup")
    ada.taps("Play the deal of the day")
    ada.sees_the_table()
    ada.answers()
    ada.plays_to_the_end(served)
    ada.taps("See the ranking of the day")
    ada.sees(re.compile(r"You are in place 1 of 1"))
    expect(ada.page.get_by_role("button", name="Play the deal of the day")).to_have_count(0)


def test_quick_match_leads_strangers_to_one_table(meet: Meet) -> None:
    """Ada looks for players; Ben sees in the lobby that someone waits, joins, and both are at one table that begins."""
    ada, ben = meet(), meet(phone=True)
    ada.opens("/")
    quick = ada.page.locator(".play-now")
    quick.get_by_label("Game").select_option("Coup")
    quick.get_by_label("Players").select_option("2")
    quick.get_by_label("Wait at most").select_option("10 minutes")
    ada.taps("Find players")
    ada.sees("Bots take the free seats in")
    ben.opens("/")
    ben.sees("Already waiting: Coup, Quick, 1 of 2")
    ben.taps("Join")
    for each in (ada, ben):
        each.sees_the_table()
    assert ada.match == ben.match


def test_player_comes_back_the_next_day(browser: Browser, served: Service, meet: Meet) -> None:
    """Ada closes her browser in mid-match; the next day the lobby has her match under "Continue", and it is still her turn."""
    ada = meet(fresh=True)
    starts(ada)
    decision = ada.is_asked()
    match, stored = ada.match, ada.visitor.context.storage_state()
    ada.page.goto(f"{served.url}/favicon.ico")
    later = browser.new_context(storage_state=stored, locale="en-GB", reduced_motion="reduce", service_workers="block")
    page = later.new_page()
    page.clock.install()
    page.clock.set_system_time(page.evaluate("Date.now()") + 86_400_000)
    page.goto(f"{served.url}/")
    own = page.get_by_role("region", name="Continue").locator("li")
    expect(own).to_contain_text("Your turn")
    own.get_by_role("link").first.click()
    page.wait_for_selector(".status.mine")
    assert page.url.endswith(match)
    assert page.evaluate("document.querySelector('game-table').store.view.question.decision") == decision
    later.close()


def test_tournament_is_played_to_its_end(meet: Meet, served: Service) -> None:
    """Ada opens a tournament with bots, starts it, is led to her tables, and finds herself in the final standings."""
    ada = meet()
    ada.opens("/tournaments")
    ada.writes("Name of the tournament", "Evening cup")
    ada.writes("Your name", "Ada")
    choices = ada.page.locator(".wish > .fields select")
    choices.nth(0).select_option("Coup")
    choices.nth(1).select_option("2")
    choices.nth(4).select_option("3")
    ada.taps("Open the tournament")
    ada.sees("Evening cup", "Ada")
    cup = ada.match
    ada.taps("Start the tournament")
    ada.taps("To your table")
    ada.sees_the_table()
    with Client(served.url, ada.token) as client:

        def is_over() -> bool:
            facts = client.tournament(cup).facts
            if facts.your_match is not None:
                served.finish(facts.your_match, random.Random(1))
            return facts.stage == "over"

        until("the tournament is over", is_over)
    ada.opens(f"/tournaments/{cup}")
    expect(ada.page.locator(".boards tr.me")).to_contain_text("Ada")
    ada.sees("over")


def test_answer_given_without_a_connection_counts(meet: Meet) -> None:
    """In a tunnel Ada answers: the page says that the line is lost; when it is back, the answer counts and the match goes on."""
    ada = meet()
    starts(ada)
    decision = ada.is_asked()
    ada.visitor.context.set_offline(True)
    ada.sees("Connection lost")
    ada.tries_to_answer()
    ada.visitor.context.set_offline(False)
    ada.sees_no("Connection lost")
    ada.has_answered(decision)


def test_two_tabs_of_one_player_show_the_same(meet: Meet) -> None:
    """Ada has her match open twice; what she answers in one tab is answered in the other, without a reload."""
    ada = meet()
    starts(ada)
    decision = ada.is_asked()
    second = ada.visitor.context.new_page()
    second.goto(ada.page.url)
    second.wait_for_selector(".status.mine")
    ada.answers()
    second.wait_for_function(
        "(decision) => document.querySelector('game-table').store.view.question?.decision !== decision", arg=decision
    )
    second.close()
