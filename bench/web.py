"""`python -m bench.web`: measure the web client in a real browser, and write the figures to bench/results/ beside their aims.

With `--beside` and another checkout that has been set up, the same is measured there, in turns, and shown as a ratio.

First view: the compressed bytes transferred until the lobby is shown, without fonts. Paints, frames and interactions are those
of `bench.views`. "Interaction to next paint" is what web-vitals makes of the latter: the worst, but for one of every 50. As a
busy machine slows all paints down, the largest ones are also shown in paints of a plain page, and have a limit in these.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from subprocess import PIPE
from typing import Any

import msgspec
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from bench.browser import browser_here
from bench.figures import commit, keep, machine, today
from bench.scale import SMALL, part, size
from bench.service import serving
from tafelrunde.client import Client
from tafelrunde.client.shapes import Command, Plain
from tests.support.paths import ROOT
from tools.commands import CommandLine

SLOWER = size(4, 1)
AIM_BYTES = 100_000
AIM_MS = 200
QUICK_MS = 16.0
MOST_PLAIN = {"lobby": 4.2, "table": 5.2}
"""The most paints of a plain page that the largest paint of a view may take."""
OPTIONS: dict[str, dict[str, Plain]] = {
    "stich-meister": {"rules": [22, 23, 25, 38], "first_dealer": 2},
    "coup": {"first_seat": 0},
}
MOVES = "() => document.querySelector('game-table').page.stage.moves"
"""Whether things move at the table."""
VIEWS = ROOT / "bench" / "views.py"
TURNS = size(2, 1)
CLOCK = {"turn_seconds": 600, "reaction_seconds": 600}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
VERSION = re.compile("/[0-9a-f]{12}/")
"""The address prefix of a file, which changes with each release."""
SIZES = """["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .map((each) => [each.name, each.encodedBodySize])"""
WATCH = """
  window.durations = new Map();
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) {
      if (each.interactionId) durations.set(each.interactionId, Math.max(each.duration, durations.get(each.interactionId) ?? 0));
    }
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
"""


class Interactions(msgspec.Struct, frozen=True, kw_only=True):
    """How long interactions of one kind took to the next paint, in steps of 8 ms; what took less than 16 counts as 16."""

    kind: str
    times_ms: Sequence[float]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What `bench.views` measured in a checkout, all turns together. Times in milliseconds, sorted."""

    commit: str
    lobby_ms: Sequence[float]
    table_ms: Sequence[float]
    plain_ms: Sequence[float]
    shift: float
    interactions: Sequence[Interactions]
    frames_ms: Sequence[float]

    def in_plain(self, view: str) -> float:
        """Return how many paints of a plain page the largest paint of the lobby or of a table takes."""
        return median({"lobby": self.lobby_ms, "table": self.table_ms}[view]) / median(self.plain_ms)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of one run. The load is the machine's at the start: other work slows these figures down."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    load: float
    first_view_bytes: int
    first_view_files: Mapping[str, int]
    seen: Sequence[Seen]
    """This checkout's, and that of the other one, if there is one."""


class Table:
    """A match with three players over the API; the browser is the first of them."""

    def __init__(self, url: str, game: str) -> None:
        self.clients = [Client(url) for _ in range(3)]
        for client in self.clients:
            client.sign_up()
        self.match = self.clients[0].open_match(game, 3, options=OPTIONS[game], clock=CLOCK).match
        for client in self.clients[1:]:
            client.take_seat(self.match)
        self.clients[0].start(self.match)

    def until_asked(self) -> bool:
        """Let the others answer until it is the browser's turn; return whether that came before the end."""
        while (view := self.clients[0].view(self.match)).question is None:
            if view.status != "running":
                return False
            for client in self.clients[1:]:
                question = client.view(self.match).question
                if question is not None:
                    client.play(self.match, question.decision, harmless(question.legal))
        return True


def harmless(legal: Sequence[Command]) -> Command:
    """Return a command that lets a match of Coup go on for long: no one doubts, and coins are taken."""
    return next((command for command in legal if command["type"] in {"coup.pass", "coup.claim-tax"}), legal[0])


def first_view(browser: Browser, url: str) -> dict[str, int]:
    """Return the compressed size of everything that the lobby needs."""
    page = browser.new_page()
    page.goto(url)
    page.wait_for_selector(".tile")
    page.wait_for_load_state("networkidle")
    sizes = {VERSION.sub("/", str(name).removeprefix(url)) or "/": int(size) for name, size in page.evaluate(SIZES)}
    page.close()
    return dict(sorted(sizes.items(), key=lambda each: -each[1]))


@contextmanager
def seated(browser: Browser, url: str, table: Table) -> Generator[Page]:
    """Sit down at a table with a slow processor, where things move, once it is the browser's turn."""
    context = browser.new_context(viewport={"width": 900, "height": 900}, locale="en-GB", reduced_motion="no-preference")
    context.add_init_script(f"localStorage.setItem('tafelrunde.token', {table.clients[0].token!r}); {WATCH}")
    page = context.new_page()
    table.until_asked()
    page.goto(f"{url}/#/match/{table.match}")
    page.wait_for_selector(".status.mine")
    page.wait_for_function(MOVES)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})  # pyright: ignore[reportUnknownMemberType] - its answers are untyped
    yield page
    context.close()


def measured(page: Page, kind: str, times: int, act: Callable[[], None]) -> Interactions:
    """Repeat an interaction, and return what the browser measured."""
    page.evaluate("durations.clear()")
    for _ in range(times):
        act()
        page.wait_for_timeout(250)
    page.wait_for_timeout(500)
    found: list[float] = page.evaluate("[...durations.values()]")
    return Interactions(kind=kind, times_ms=sorted(found + [QUICK_MS] * (times - len(found))))


def click(page: Page, found: str | Locator) -> None:
    """Click with the mouse on the first that is found, without waiting for anything."""
    box = (page.locator(found) if isinstance(found, str) else found).first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def text_of(report: Report) -> str:
    """Return the report for people."""
    own, *_ = report.seen
    about = ", ".join(f"{name} {value}" for name, value in report.machine.items())
    lines = [
        f"# Web client of {report.day}, commit {report.commit}",
        "",
        f"{about}; load {report.load} at the start",
        "",
        "| what | figure | aim | |",
        "|---|---|---|---|",
        row("first view, packed, without fonts", report.first_view_bytes / 1000, "kB", AIM_BYTES / 1000),
        *(
            row(
                f"{game}: interaction to next paint while things move, processor {SLOWER} times slower",
                slow(own.interactions, game),
                "ms",
                AIM_MS,
            )
            for game in ("Stich-Meister", "Coup")
        ),
        *(
            row(f"{view}: largest contentful paint, in paints of a plain page", own.in_plain(view), "", most)
            for view, most in MOST_PLAIN.items()
        ),
        "",
        *beside(report.seen),
        "",
        "| interaction | times | median | worst |",
        "|---|---|---|---|",
        *(
            f"| {each.kind} | {len(each.times_ms)} | {median(each.times_ms):.0f} ms | {each.times_ms[-1]:.0f} ms |"
            for each in own.interactions
        ),
        "",
        "| first view | bytes, packed |",
        "|---|---|",
        *(f"| {name} | {size:,} |" for name, size in report.first_view_files.items()),
        "",
    ]
    return "\n".join(lines)


def slow(found: Sequence[Interactions], game: str) -> float:
    """Return the interaction to next paint at a game's table."""
    every = sorted(time for each in found if each.kind.startswith(game) for time in each.times_ms)
    return every[-1 - len(every) // 50]


def row(what: str, figure: float, unit: str, aim: float) -> str:
    """Return a line with a figure and its aim."""
    return f"| {what} | {figure:.1f} {unit} | under {aim:g} {unit} | {'met' if figure < aim else 'missed'} |"


def seen(checkouts: Sequence[Path]) -> list[Seen]:
    """Measure checkouts in turns, so that what else the machine does slows all of them down alike."""
    turns: list[list[dict[str, Any]]] = [[] for _ in checkouts]
    for turn in range(TURNS):
        for place, checkout in list(enumerate(checkouts))[:: -1 if turn % 2 else 1]:
            part(f"views of {checkout.name}, turn {turn + 1} of {TURNS}")
            command = [str(checkout / ".venv/bin/python"), "-P", str(VIEWS), *(["--small"] if SMALL else [])]
            where = {**os.environ, "PYTHONPATH": str(checkout)}
            done = subprocess.run(command, cwd=checkout, env=where, stdout=PIPE, check=True)
            turns[place].append(msgspec.json.decode(done.stdout))
    return [together(commit(checkout), found) for checkout, found in zip(checkouts, turns, strict=True)]


def together(name: str, turns: Sequence[Mapping[str, Any]]) -> Seen:
    """Return the times of all turns as one, and the worst shift."""
    parts = ("lobby_ms", "table_ms", "plain_ms", "frames_ms")
    every = {part: sorted(time for turn in turns for time in turn[part]) for part in parts}
    kinds: dict[str, list[float]] = {}
    for turn in turns:
        for kind, times in turn["interactions"].items():
            kinds.setdefault(kind, []).extend(times)
    found = [Interactions(kind=kind, times_ms=sorted(times)) for kind, times in kinds.items()]
    return Seen(commit=name, shift=max(turn["shift"] for turn in turns), interactions=found, **every)


def beside(found: Sequence[Seen]) -> list[str]:
    """Return the lines of the table of views: this checkout, and the other one with the ratio."""
    figures = [figures_of(each) for each in found]
    heads = [f"commit {each.commit}" for each in found]
    lines = [f"| view | {' | '.join(heads)} |{' ratio |' if len(found) > 1 else ''}", "|---" * (len(found) + len(found)) + "|"]
    for what in figures[0]:
        values = [each[what] for each in figures]
        ratio = [f"{values[0] / values[1]:.2f}" if values[1] else "-"] if len(values) > 1 else []
        lines.append(f"| {' | '.join([what, *(f'{value:.4g}' for value in values), *ratio])} |")
    return lines


def figures_of(each: Seen) -> dict[str, float]:
    """Return the figures that are compared, by what they say."""
    frames = each.frames_ms or [0.0]
    return {
        "largest contentful paint of the lobby, median, ms": median(each.lobby_ms),
        "largest contentful paint of a table, median, ms": median(each.table_ms),
        "the same of a plain page, median, ms": median(each.plain_ms),
        "layout shift, worst": each.shift,
        "interaction to next paint, Stich-Meister, ms": slow(each.interactions, "Stich-Meister"),
        "interaction to next paint, Coup, ms": slow(each.interactions, "Coup"),
        "frames while cards fly, median, ms": median(frames),
        "frames while cards fly, 95 %, ms": frames[int(0.95 * (len(frames) - 1))],
    }


def main() -> None:
    """Measure, print, write."""
    command = CommandLine(__doc__)
    command.add_argument("--small", action="store_true", help="everything in tiny sizes, only to see that it works")
    command.add_argument("--beside", type=Path, help="another checkout, set up, to measure as well")
    other: Path | None = command.parse_args().beside
    load = round(os.getloadavg()[0], 1)
    part("the first view")
    with serving(bot_pause_ms=0) as service, sync_playwright() as playwright:
        url = f"http://{service.host}:{service.port}"
        browser = playwright.chromium.launch(executable_path=browser_here(), args=ARGUMENTS)
        sizes = first_view(browser, url)
        browser.close()
    report = Report(
        day=today(),
        commit=commit(),
        machine=machine(),
        load=load,
        first_view_bytes=sum(sizes.values()),
        first_view_files=sizes,
        seen=seen([ROOT, *([other.resolve()] if other else [])]),
    )
    keep("web", report, text_of(report))


if __name__ == "__main__":
    main()
