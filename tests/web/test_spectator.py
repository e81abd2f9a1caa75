"""A spectator's browser learns of no hidden card: not on the page, in no attribute, in no answer of the service."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page

from tafelrunde.client.shapes import Plain
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.served import Service
from tests.web.conftest import Visitor
from tests.web.party import Party

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("web-spectator")]

RANKING = {"trumps"}
"""Which card beats which says nothing of where they are; on the page that is `.ladder`."""
STEPS = (0, 3, 5, 8)
DEALT = re.compile(r"\.(round-)?dealt\.")
OWN = {"hand", "drawn", "examined", "aside", "bid", "rule_cards"}
"""What a table says of its viewer alone."""
LISTEN = """() => {
  window.heard = [];
  const ask = window.fetch;
  window.fetch = async (...all) => {
    const answer = await ask(...all);
    const copy = answer.clone().body?.pipeThrough(new TextDecoderStream()).getReader();
    const place = window.heard.push("") - 1;
    const read = async () => {
      for (let part = await copy.read(); !part.done; part = await copy.read()) window.heard[place] += part.value;
      window.heard[place] += "\u0004";
    };
    if (copy) read().catch(() => {});
    else window.heard[place] = "\u0004";
    return answer;
  };
  window.WebSocket = class extends WebSocket {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", ({ data }) => window.heard.push(`${data}\u0004`));
    }
  };
}"""
WHOLE = "() => heard.every((text) => text.startsWith('retry:') || text.endsWith('\\u0004')) && [...heard]"
# Cloned, and not read from markup: the page's policy refuses `style` there, also where a script had set a property of it.
MARKUP = """() => {
  const table = document.createElement("div");
  for (const each of document.querySelector("game-table").shadowRoot.childNodes) table.append(each.cloneNode(true));
  table.querySelector(".ladder")?.remove();
  return document.documentElement.outerHTML + table.innerHTML;
}"""


def heard(page: Page) -> list[Plain]:
    """Return everything that the page has received from the service."""
    told: list[Plain] = []
    for text in page.wait_for_function(WHOLE).json_value():
        lines = re.findall(r"^data: (.+)\n", text, re.MULTILINE) if text.startswith("retry:") else [text.rstrip("\u0004")]
        told += [json.loads(line) for line in lines if line.startswith(("{", "["))]
    return told


def pairs(thing: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield every name with its value, at any depth; what a list holds counts under the list's name."""
    if isinstance(thing, dict):
        for name, value in thing.items():
            yield name, value
            if name not in RANKING:
                yield from pairs(value)
            if isinstance(value, list):
                yield from ((name, each) for each in value)
    elif isinstance(thing, list):
        for each in thing:
            yield from pairs(each)


def hidden(party: Party) -> list[Plain]:
    """Return the cards that seats hold now and that do not lie open."""
    tables = [view.table or {} for view in party.views()]
    shown = [card for seat in tables[0]["seats"] for card in seat.get("open_cards", ())]
    return [card for table in tables for card in table["hand"] if card not in shown]


def own(told: Sequence[Plain]) -> list[str]:
    """Return what tables that the service has sent say of their viewer alone."""
    tables = [each["table"] for each in told if isinstance(each, dict) and each.get("table")]
    return [f"{name}: {table[name]}" for table in tables for name in OWN & table.keys() if table[name] not in (None, [], False)]


def leaks(page: Page, party: Party, game: GameId) -> list[str]:
    """Return what a page knows of hidden cards: from the service, or in its markup."""
    told = heard(page)
    sheet = next(each for each in told if isinstance(each, dict) and each.get("id") == game and "messages" in each)
    found = own(told)
    if game == "coup":
        return found
    cards = hidden(party)
    items = [each for each in told if each is not sheet]
    found += [f"{name}: {value}" for each in items for name, value in pairs(each) if name in {"card", "cards"} and value in cards]
    markup = page.evaluate(MARKUP)
    names = [sheet["messages"][f"{game}.card.{card}"][language] for card in cards for language in ("de", "en")]
    return found + [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", markup)]


def deals(party: Party) -> int:
    """Return how often cards were dealt. What was seen in one round is no secret in the next, where it may be in another hand."""
    return sum(bool(DEALT.search(item.event["type"])) for item in party.feed())


def listening(browser: Browser, party: Party, seat: int | None = None) -> Visitor:
    """Return a player or a spectator at a table, whose page notes what it receives."""
    visitor = Visitor(browser, party.url)
    if seat is not None:
        party.seat(visitor.page, seat)
    visitor.visit("/").wait_for_selector(".tile")  # from here the table is a step within the page
    visitor.page.evaluate(LISTEN)
    visitor.visit(party.address).wait_for_selector(".board .seat")
    return visitor


@pytest.mark.parametrize("game", GAMES)
def test_spectator_learns_of_no_hidden_card(game: GameId, browser: Browser, served: Service) -> None:
    """Compared with the true hands at several moments, until the end. Looked at so, a player's own browser shows them."""
    with Party(served.url, game, GAMES[game].min_seats) as party:
        party.start()
        player = listening(browser, party, seat=0)
        party.shown(player.page)
        assert leaks(player.page, party, game) != []
        player.close()
        spectator = listening(browser, party)
        for answers in STEPS:
            party.answer_times(answers)
            party.shown(spectator.page, None)
            if answers and (deals(party) > 1 or not hidden(party) or party.view(0).status != "running"):
                break
            assert leaks(spectator.page, party, game) == []
        spectator.close()
