"""Where everything on a table stands: hand and answers are seen at once, nothing covers them, and no text is cut off."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, Page

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT
from tests.support.served import Service
from tests.support.thorough import seat_counts, tries
from tests.web.conftest import Visitor, for_each, paint
from tests.web.course import Course, Moments, laid, moments, views

pytestmark = [pytest.mark.slow]

SIZES = ((360, 640), (390, 844), (900, 900), (1280, 800), (1440, 900), (2560, 1440), (768, 1024))
WIDE_AND_LOW = ((360, 800), (2560, 800))
"""Windows that are wide for their height, where only the frame is looked at: other seats, own cards, and the sides."""
LANGUAGES = ("en", "de")
PICTURED = ((390, 844), (1440, 900))
"""The sizes in which the places of all parts are compared with those that were kept, with as many seats as the game has."""
KEPT = Path(__file__).with_name("layouts")
WRITE = "TAFELRUNDE_KEEP_LAYOUTS"
"""Set, the places of today are kept, for a change that is meant."""
NEAR = 5
"""Hundredths of the window by which a part may stand elsewhere: letters are not equally wide and high on all machines."""
PICTURES = ROOT / "build" / "layouts"
"""Where pictures are written of what stands elsewhere."""

WRONG = "([places, language]) => layout.wrong(places.map((place) => layout.given[0][place]), language)"
MOVED = "([[start, end], language]) => layout.moved(layout.given[1].slice(start, end), language)"


FRAME = """() => {
  scrollTo(0, document.documentElement.scrollHeight); // in a low window hand and answers lie on what can be scrolled
  const { shadowRoot } = document.querySelector("game-table");
  const ends = [...shadowRoot.querySelectorAll(".ring .seat")].map((seat) => seat.getBoundingClientRect().bottom);
  const { top } = shadowRoot.querySelector(".tray").getBoundingClientRect();
  const { scrollWidth } = document.documentElement;
  return [
    ...(ends.length && Math.max(...ends) <= top + 1 ? [] : [`seats end at ${ends}, own cards begin at ${top}`]),
    ...(scrollWidth > innerWidth ? [`wider than the window: ${scrollWidth}`] : []),
  ];
}"""
"""What is wrong with where the other seats end, where the viewer's own cards begin, and with how wide the page is."""


def share_out(found: Moments, size: int) -> tuple[Sequence[int], Sequence[int]]:
    """Share the places of moments out to the two languages: each is looked at in all sizes and both languages, which take turns.

    The thorough profile looks at each in both languages in every size.
    """
    places = range(len(found))
    if tries(1, 2) == 2:
        return places, places
    return places[size % 2 :: 2], places[(size + 1) % 2 :: 2]


def stretch(views_seen: int, turn: int) -> tuple[int, int]:
    """Share a match out to sizes: one of seven stretches, each of which begins where the one before it ends, at the same view.

    Sizes take turns with every number of seats, so that each size sees something of the start, the middle and the end.
    The thorough profile looks at the whole match in every size.
    """
    if tries(1, 2) == 2:
        return 0, views_seen
    part = turn % len(SIZES)
    return part * views_seen // len(SIZES), (part + 1) * views_seen // len(SIZES) + 1


Places: TypeAlias = dict[str, dict[str, list[list[int]]]]


async def three(course: Course) -> Moments:
    """Play on, and return three moments: the first, one from the middle, and the last."""
    found = await moments(course)
    return [found[0], found[len(found) // 2], found[-1]]


def differences(seen: Places, kept: Places) -> list[str]:
    """Return what stands elsewhere than it did, or is no longer there, or is new."""
    found = [f"{state}: not kept" for state in seen.keys() ^ kept.keys()]
    for state in seen.keys() & kept.keys():
        for part, boxes in seen[state].items():
            before = kept[state].get(part, [])
            if len(boxes) != len(before):
                found.append(f"{state}: {len(boxes)} {part}, and not {len(before)}")
                continue
            for box, old in zip(boxes, before, strict=True):
                if max(abs(one - other) for one, other in zip(box, old, strict=True)) > NEAR:
                    found.append(f"{state}: {part} at {box}, and not {old}")
    return found


def compared(game: GameId, seen: Places, page: Page, found: Moments) -> list[str]:
    """Return how the places of today differ from those that were kept; keep them if that is wished."""
    path = KEPT / f"{game}.json"
    if os.environ.get(WRITE):
        lines = [f"  {json.dumps(state)}: {json.dumps(parts)}" for state, parts in seen.items()]
        path.parent.mkdir(exist_ok=True)
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    wrong = differences(seen, json.loads(path.read_text(encoding="utf-8")))
    if wrong:
        PICTURES.mkdir(parents=True, exist_ok=True)
        paint(page)
        for width, height in PICTURED:
            page.set_viewport_size({"width": width, "height": height})
            for number, (_, view) in enumerate(found):
                page.evaluate("([view, language]) => layout.show(view, language)", [view, LANGUAGES[0]])
                page.screenshot(path=PICTURES / f"{game}-{width}-{number}.png")
    return wrong


@for_each(GAMES)
def test_parts_of_a_table_stand_where_they_stood(game: GameId, browser: Browser, served: Service) -> None:
    """In 30 states of all games, on a phone and on a large screen: what has moved was meant to, and was kept on purpose."""
    seats = max(seat_counts(GAMES[game]))
    visitor = Visitor(browser, served.url)
    seen: Places = {}
    with laid(game, seats, [three], visitor, served) as (page, [found]):
        for width, height in PICTURED:
            page.set_viewport_size({"width": width, "height": height})
            boxes = page.evaluate("(language) => layout.boxes(layout.given[0], language)", LANGUAGES[0])
            seen |= {
                f"{width}x{height} {number} {name}": each
                for number, ((name, _), each) in enumerate(zip(found, boxes, strict=True))
            }
        wrong = compared(game, seen, page, found)
    visitor.close()
    assert wrong == [], f"{WRITE}=1 keeps them as they are; pictures: {PICTURES}\n" + "\n".join(wrong)


def test_place_that_has_changed_is_found() -> None:
    """Also a part that is gone or new; a few hundredths are those of other letters."""
    kept: Places = {"one": {"hand": [[0, 80, 100, 98]], "seats": [[0, 0, 40, 10], [60, 0, 100, 10]]}}
    near: Places = {"one": {"hand": [[0, 80 - NEAR, 100, 98]], "seats": [[0, 0, 40, 10], [60, 0, 100, 10]]}}
    far: Places = {"one": {"hand": [[0, 79 - NEAR, 100, 98]], "seats": [[0, 0, 40, 10]]}}
    assert differences(kept, kept) == differences(near, kept) == []
    assert len(differences(far, kept)) == 2
    assert differences({}, kept) == ["one: not kept"]


@for_each(GAMES)
def test_hand_and_answers_are_in_sight_whole_and_in_their_place(game: GameId, browser: Browser, served: Service) -> None:
    """With few, more and the most seats, on phones and on large screens, in both languages.

    At each kind of question all is in sight, and no text is cut. From one view to the next no card moves that was not played,
    and no seat does. Own cards are below all other seats, and nothing is wider than the window.
    """
    visitor = Visitor(browser, served.url)
    wrong: list[str] = []
    for number, seats in enumerate(seat_counts(GAMES[game])):
        with laid(game, seats, [moments, views], visitor, served) as (page, [found, seen]):
            for at, (width, height) in enumerate((*SIZES, *WIDE_AND_LOW)):
                page.set_viewport_size({"width": width, "height": height})
                looks = [(MOVED, [*stretch(len(seen), at + 2 * number)], LANGUAGES[at % 2])]
                looks += [(WRONG, [*places], of) for of, places in zip(LANGUAGES, share_out(found, at), strict=True)]
                looks = [*(looks if at < len(SIZES) else ()), (FRAME, [], LANGUAGES[-1])]
                for look, which, language in looks:
                    told = page.evaluate(look, [which, language])
                    wrong += [f"{game} {seats} seats {width}x{height} {language} {each}" for each in told]
    visitor.close()
    assert wrong == [], "\n".join(wrong)
