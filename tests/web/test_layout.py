"""Where everything on a table stands: hand and answers are seen at once, nothing covers them, and no text is cut off."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
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
STRETCH = 5
"""The number of views, one after another, that are compared in a size."""
PICTURED = ((390, 844), (1440, 900))
"""The sizes in which the places of all parts are compared with those that were kept, with as many seats as the game has."""
KEPT = Path(__file__).with_name("layouts")
WRITE = "TAFELRUNDE_KEEP_LAYOUTS"
"""Set, the places of today are kept, for a change that is meant."""
NEAR = 5
"""Hundredths of the window by which a part may stand elsewhere: letters are not equally wide and high on all machines."""
PICTURES = ROOT / "build" / "layouts"
"""Where pictures are written of what stands elsewhere."""

WRONG = "([match, places, language]) => layout.wrong(places.map((place) => layout.given[match][place]), language)"
MOVED = "([match, [start, end], language]) => layout.moved(layout.given[match].slice(start, end), language)"
FRAME = "([match, place, language]) => layout.frame(layout.given[match][place], language)"


def share_out(count: int, turn: int) -> Sequence[int]:
    """Return the places of moments that a size looks at in a language: in all sizes each is seen, in languages that take turns.

    The thorough profile looks at each in both languages in every size.
    """
    return range(count) if tries(1, 2) == 2 else range(count)[turn % 2 :: 2]


def stretch(count: int, turn: int) -> tuple[int, int]:
    """Return where the views of a match begin and end that a size compares, each with the one before it.

    Sizes take turns with every number of seats, so that each size sees something of the start, the middle and the end.
    The thorough profile looks at the whole match in every size.
    """
    if tries(1, 2) == 2:
        return 0, count
    part = turn % len(SIZES)
    start, end = part * count // len(SIZES), (part + 1) * count // len(SIZES) + 1
    return start, min(end, start + STRETCH)


def looks(matches: Sequence[Moments], place: int, size: int, turn: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield how a size looks in a language at the two matches from that place on: what the page runs, and on what."""
    found, seen = map(len, matches)
    if size < len(SIZES):
        if turn == size:
            yield MOVED, (place + 1, stretch(seen, size + place))
        yield WRONG, (place, [*share_out(found, size + turn)])
    if LANGUAGES[turn % 2] == LANGUAGES[-1]:
        yield FRAME, (place, found - 1)


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
    with laid(game, [(seats, three)], visitor, served) as (page, [found]):
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
    counts = sorted(seat_counts(GAMES[game]), reverse=True)
    with laid(game, [(seats, play) for seats in counts for play in (moments, views)], visitor, served) as (page, matches):
        for at, (width, height) in enumerate((*SIZES, *WIDE_AND_LOW)):
            page.set_viewport_size({"width": width, "height": height})
            for turn in (at, at + 1):  # a size begins with the language of the one before: another one is laid out from scratch
                language = LANGUAGES[turn % 2]
                for number, seats in enumerate(counts):
                    for look, given in looks(matches[2 * number : 2 * number + 2], 2 * number, at, turn):
                        told = page.evaluate(look, [*given, language])
                        wrong += [f"{game} {seats} seats {width}x{height} {language} {each}" for each in told]
    visitor.close()
    assert wrong == [], "\n".join(wrong)
