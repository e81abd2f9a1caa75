"""What one player received of one match, and what is wrong with it when the whole feed is read again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

NOTHING_YET = "0-"
"""How a cursor before the first item begins."""

Item = Mapping[str, Any]


class Receipt(NamedTuple):
    """An acknowledged command: what it caused, and the place in the feed after it."""

    key: str
    cursor: str
    items: tuple[Item, ...]


class Ledger:
    """All that a service has acknowledged to a player of a match, and the items that it has sent, in order."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.receipts: list[Receipt] = []
        self.heard: list[Item] = []
        self.resets = 0
        self.replays = 0
        self.ended = False
        self._news = asyncio.Event()

    def acknowledge(self, key: str, answer: Mapping[str, Any]) -> None:
        """Note a receipt. One for a key that has a receipt already is a repetition, and must be the same."""
        receipt = Receipt(key, answer["cursor"], tuple(answer["items"]))
        earlier = next((each for each in reversed(self.receipts) if each.key == key), None)
        if earlier is None or earlier != receipt:
            self.receipts.append(receipt)
        else:
            self.replays += 1

    def hear(self, items: Sequence[Item]) -> None:
        """Note items that were sent."""
        self.heard += items
        self._news.set()

    def reset(self) -> None:
        """Note that the service takes back what it has sent."""
        self.heard.clear()
        self.resets += 1

    def end(self) -> None:
        """Note that nothing more will be sent."""
        self.ended = True
        self._news.set()

    async def news(self, seconds: float) -> None:
        """Wait for an item, not for long: it may have come already."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass
        self._news.clear()

    def faults(self, feed: Sequence[Item]) -> Iterator[tuple[str, str]]:
        """Yield what is wrong, if this is the whole feed now: kind of fault, and where."""
        places = {item["cursor"]: place for place, item in enumerate(feed)}
        kept = [each for each in self.receipts if _is_there(each, places, feed)]
        for receipt in self.receipts:
            if receipt not in kept:
                yield "lost", f"{self.match} {receipt.key} at {receipt.cursor}"
        order = [places.get(receipt.cursor, -1) for receipt in kept]
        if order != sorted(order):
            yield "out of order", self.match
        for key in _doubled(kept):
            yield "doubled", f"{self.match} {key}"
        if self.heard != (list(feed) if self.ended else list(feed[: len(self.heard)])):
            yield "heard otherwise", f"{self.match}: {len(self.heard)} of {len(feed)} items"


def _is_there(receipt: Receipt, places: Mapping[str, int], feed: Sequence[Item]) -> bool:
    if receipt.cursor not in places and not receipt.cursor.startswith(NOTHING_YET):
        return False
    return all((place := places.get(item["cursor"])) is not None and feed[place] == item for item in receipt.items)


def _doubled(receipts: Sequence[Receipt]) -> Iterator[str]:
    """Yield the keys that were acknowledged twice and not alike, or share what they caused with another key."""
    keys: set[str] = set()
    causes: dict[str, str] = {}
    for receipt in receipts:
        for cursor in [item["cursor"] for item in receipt.items]:
            if causes.setdefault(cursor, receipt.key) != receipt.key:
                yield receipt.key
        if receipt.key in keys:
            yield receipt.key
        keys.add(receipt.key)
