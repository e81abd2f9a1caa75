"""Pairs out of a graph: as many as possible, by augmenting paths through blossoms (Edmonds 1965).

A search takes time of the order of nodes times edges at most, with at most 64 nodes here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

FREE = -1


class Matching:
    """Pairs of neighbours: `partner` of each node, or `FREE`. Nodes that are taken out are no one's neighbours any more."""

    def __init__(self, neighbours: Sequence[Sequence[int]]) -> None:
        self._neighbours = neighbours
        self._gone = [False] * len(neighbours)
        self.partner = [FREE] * len(neighbours)
        for node in range(len(neighbours)):
            if self.partner[node] == FREE:
                self.augment(node)

    @property
    def perfect(self) -> bool:
        """Whether every node that is left has a partner."""
        return all(gone or partner != FREE for gone, partner in zip(self._gone, self.partner, strict=True))

    def take(self, one: int, other: int) -> bool:
        """Take a pair of neighbours out if all others can still be paired; else change nothing, and return False."""
        before = list(self.partner)
        for node, mate in ((one, before[one]), (other, before[other])):
            self._gone[node] = True
            self.partner[node] = FREE
            if mate not in {FREE, one, other}:
                self.partner[mate] = FREE
        left = [mate for mate in (before[one], before[other]) if mate not in {FREE, one, other}]
        if not left or self.augment(left[0]):
            return True
        self.partner = before
        self._gone[one] = self._gone[other] = False
        return False

    def augment(self, root: int) -> bool:
        """Find a free node that *root* can be paired with by changing pairs on the way; return whether there is one."""
        search = _Search(self._neighbours, self._gone, self.partner)
        end = search.from_root(root)
        if end == FREE:
            return False
        while end != FREE:
            before = search.parent[end]
            further = self.partner[before]
            self.partner[end], self.partner[before] = before, end
            end = further
        return True


class _Search:
    """One search for an augmenting path: a tree whose odd cycles are shrunk to their base."""

    def __init__(self, neighbours: Sequence[Sequence[int]], gone: Sequence[bool], partner: Sequence[int]) -> None:
        self._neighbours = neighbours
        self._gone = gone
        self._partner = partner
        self.parent = [FREE] * len(neighbours)
        self._base = list(range(len(neighbours)))
        self._even = [False] * len(neighbours)
        self._queue: deque[int] = deque()

    def from_root(self, root: int) -> int:
        """Return the free node at which a path from *root* ends; `FREE` if there is none."""
        self._reach(root)
        while self._queue:
            node = self._queue.popleft()
            for other in self._neighbours[node]:
                if self._gone[other] or self._base[node] == self._base[other] or self._partner[node] == other:
                    continue
                mate = self._partner[other]
                if other == root or (mate != FREE and self.parent[mate] != FREE):
                    self._shrink(node, other)
                elif self.parent[other] == FREE:
                    self.parent[other] = node
                    if mate == FREE:
                        return other
                    self._reach(mate)
        return FREE

    def _reach(self, node: int) -> None:
        self._even[node] = True
        self._queue.append(node)

    def _shrink(self, one: int, other: int) -> None:
        """Give all nodes of the cycle that an edge closes the same base."""
        base = self._common(one, other)
        inside: set[int] = set()
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        for node, its in enumerate(self._base):
            if its in inside:
                self._base[node] = base
                if not self._even[node]:
                    self._reach(node)

    def _mark(self, node: int, base: int, child: int, inside: set[int]) -> None:
        while self._base[node] != base:
            inside |= {self._base[node], self._base[self._partner[node]]}
            self.parent[node] = child
            child = self._partner[node]
            node = self.parent[child]

    def _common(self, one: int, other: int) -> int:
        """Return the last base that the ways from the root to two nodes share."""
        seen: set[int] = set()
        node = self._base[one]
        while True:
            seen.add(node)
            if self._partner[node] == FREE:
                break
            node = self._base[self.parent[self._partner[node]]]
        node = self._base[other]
        while node not in seen:
            node = self._base[self.parent[self._partner[node]]]
        return node
