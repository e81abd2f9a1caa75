"""Two strangers on two devices find each other, talk, play a match and another one; a third person watches."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from tafelrunde.domain.match import MatchId
from tafelrunde.service.ports.events import shard_of
from tests.support.served import Service
from tests.web.conftest import Visitor, caught_up, wait

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-quick")]

ANSWER = """(wanted) => {
  const { page, store } = document.querySelector("game-table");
  page.stage.skip();
  const { question, status } = store.view;
  const late = store.sending || store.items.at(-1)?.cursor !== store.view.cursor;
  if (status === "over" || !question || question.answered || late) return status;
  page.give(wanted.map((type) => question.legal.find((each) => each.type === type)).find(Boolean) ?? question.legal[0]);
  return status;
}"""
"""Answer as soon as there is a question, by the first of these commands that is possible."""
CALMLY = ["coup.launch-coup", "coup.take-income", "coup.pass"]


def sought(page: Page) -> None:
    """Seek a match of Coup for two, and wait in its waiting room."""
    now = page.locator(".play-now")
    now.get_by_label("Game").select_option("Coup")
    now.get_by_label("Players").select_option("2")
    now.get_by_label("Pace").select_option("Relaxed")
    now.get_by_label("Wait at most").select_option("10 minutes")
    now.get_by_role("button", name="Find players").click()
    expect(page.locator(".seats .me")).to_be_visible()


def say(page: Page, phrase: str, heard: int) -> None:
    """Say a ready phrase, once a number of others are heard."""
    page.locator(".talk-button").click()
    expect(page.locator(".talk")).to_be_visible()
    expect(page.locator(".talk-said")).to_have_count(heard)
    page.locator(".talk").get_by_role("button", name=phrase).click()
    expect(page.locator(".talk-said")).to_have_count(heard + 1)


def played(*pages: Page) -> None:
    """Let two players answer in their browsers until the match is over."""

    def over() -> bool:
        return {page.evaluate(ANSWER, CALMLY) for page in pages} == {"over"}

    wait(pages[0], over)
    for page in pages:
        expect(page.locator(".result")).to_be_visible()


def match_of(page: Page) -> str:
    """Return the match that a page is at."""
    return page.evaluate("location.hash").split("/")[2]


def watched(watcher: Visitor, served: Service, match: str) -> Page:
    """Find a match in the lobby's list of those to watch, and look at it."""
    assert served.application is not None
    served.do(served.application.projector.catch_up(shard_of(MatchId(match))))
    page = watcher.visit("/")
    page.get_by_role("region", name="Watch").locator(f"a.button[href$='{match}']").click()
    expect(page.locator(".watching")).to_be_visible()
    return page


def test_strangers_find_each_other_talk_and_play_twice_while_a_third_watches(browser: Browser, served: Service) -> None:
    """One at a desk and one with a phone, both unknown until then, by what the lobby and the table offer and nothing else."""
    ada = Visitor(browser, served.url, width=1440, fresh=True)
    bruno = Visitor(browser, served.url, width=390, height=844, language="de-DE", fresh=True)
    zoe = Visitor(browser, served.url, fresh=True)
    one, other = ada.visit("/"), bruno.visit("/")
    sought(one)
    other.reload()
    other.locator(".sought", has_text="Coup").get_by_role("button", name="Mitspielen").click()
    for page in (one, other):
        expect(page.locator(".tray .hand .face")).to_have_count(2)
    match = match_of(one)
    assert match_of(other) == match

    say(one, "Hello, everyone!", heard=0)
    say(other, "Hallo", heard=1)
    expect(one.locator(".talk-said")).to_have_count(2)
    for page in (one, other):
        page.keyboard.press("Escape")

    third = watched(zoe, served, match)
    expect(third.locator(".tray .hand")).to_have_count(0)
    played(one, other)
    expect(third.locator(".result")).to_contain_text("wins")
    third.get_by_role("button", name="Replay").click()
    expect(third.locator(".replay .eyes option")).not_to_have_count(1)

    one.get_by_role("button", name="Play again").click()
    expect(one.locator(".wishes")).to_contain_text("Waiting for")
    other.get_by_role("button", name="Noch einmal").click()
    for page in (one, other):
        page.wait_for_function("(match) => !location.hash.includes(match)", arg=match)
        caught_up(page)
    again = match_of(one)
    assert match_of(other) == again
    watched(zoe, served, again)
    served.finish(again, random.Random(1))
    for page in (one, other, third):
        expect(page.locator(".result")).to_be_visible()
    for each in (ada, bruno, zoe):
        each.close()
