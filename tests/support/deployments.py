"""Servers that are more than one: a cluster of primaries and replicas, and a primary with replicas that Sentinels watch."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server, free_port

SLOTS = 16_384
NONE: Mapping[str, str] = {}
DOWN_MS = "1000"
"""After which silence a server counts as down. Short, so that tests do not wait; a busy machine may see a failover more."""


class Node(Server):
    """A server that others reach by a port of the loopback interface."""

    def __init__(self, kind: str, folder: Path, **options: str) -> None:
        folder.mkdir(parents=True)
        self.port = free_port()
        super().__init__(kind, folder, port=str(self.port), bind="127.0.0.1", **options)

    def tell(self, *command: str) -> str:
        """Return the whole answer to a command; its first line fails the test if it is an error."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE_SECONDS)
            connection.connect(str(self.socket))
            connection.sendall(" ".join(command).encode() + b"\r\n")
            answer = connection.recv(1 << 20).decode()
        assert not answer.startswith("-"), f"{command}: {answer}"
        return answer


class ClusterOfServers:
    """A cluster: *primaries*, each with *replicas*; started by `with`."""

    def __init__(self, kind: str, folder: Path, primaries: int = 3, replicas: int = 0, options: Mapping[str, str] = NONE) -> None:
        settings = {"cluster-enabled": "yes", "cluster-node-timeout": DOWN_MS, "cluster-replica-validity-factor": "0", **options}
        self._primaries = primaries
        count = primaries * (1 + replicas)
        self.nodes = [Node(kind, folder / str(number), cluster_port=str(free_port()), **settings) for number in range(count)]
        self._stack = ExitStack()

    @property
    def url(self) -> str:
        """The address of the cluster."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def __enter__(self) -> ClusterOfServers:
        with ExitStack() as starting:
            for node in self.nodes:
                starting.enter_context(node)
            self._form()
            self._stack = starting.pop_all()
        return self

    def _form(self) -> None:
        first, *others = self.nodes
        for number, node in enumerate(self.nodes[: self._primaries]):
            start = number * SLOTS // self._primaries
            end = (number + 1) * SLOTS // self._primaries - 1
            node.tell("CLUSTER", "ADDSLOTSRANGE", str(start), str(end))
            node.tell("CLUSTER", "SET-CONFIG-EPOCH", str(number + 1))
        for node in others:
            node.tell("CLUSTER", "MEET", "127.0.0.1", str(first.port), first.options["cluster-port"])
        known = f"cluster_known_nodes:{len(self.nodes)}"
        _until(lambda: all(known in node.tell("CLUSTER", "INFO") for node in self.nodes))
        for number, node in enumerate(self.nodes[self._primaries :]):
            primary = self.id_of(self.nodes[number % self._primaries])
            # A server that others have met counts before it is known by its own name.
            _until(lambda node=node, primary=primary: node.ask(f"CLUSTER REPLICATE {primary}") == "+OK")
        _until(lambda: all("cluster_state:ok" in node.tell("CLUSTER", "INFO") for node in self.nodes))
        _until(lambda: all(_linked(node) for node in self.nodes[self._primaries :]))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    def empty(self) -> None:
        """Forget all data, as soon as every primary takes writes."""
        _until(lambda: all(node.ask("FLUSHALL") == "+OK" for node in self.primaries()))

    def primaries(self) -> list[Node]:
        """Return the servers that have slots now."""
        return [node for node, ranges in self._ranges() if ranges]

    def owner(self, slot: int) -> Node:
        """Return the server that has a slot now, or had it last."""
        return next(node for node, ranges in self._ranges() if any(first <= slot <= last for first, last in ranges))

    def wait_until_replaced(self, killed: Node) -> None:
        """Wait until others have the slots of a server that was killed, and the cluster works again."""

        def replaced() -> bool:
            primaries = self.primaries()
            return killed not in primaries and all("cluster_state:ok" in each.tell("CLUSTER", "INFO") for each in primaries)

        _until(replaced)

    def wait_until_copied(self) -> None:
        """Wait until every replica has what its primary has."""
        _until(lambda: all(_linked(node) for node in self.nodes if node not in self.primaries()))

    def _ranges(self) -> Iterator[tuple[Node, list[tuple[int, int]]]]:
        """Yield each server with the ranges of its slots, as the first one that answers sees it."""
        witness = next(node for node in self.nodes if node.ask("PING") == "+PONG")
        by_port = {node.port: node for node in self.nodes}
        for line in witness.tell("CLUSTER", "NODES").split("\n")[1:]:
            _, address, _, _, _, _, _, _, *slots = line.split() or [""] * 8
            ends = [each.partition("-") for each in slots if "[" not in each]
            if address:
                port = int(address.partition("@")[0].rpartition(":")[2])
                yield by_port[port], [(int(first), int(last or first)) for first, _, last in ends]

    @staticmethod
    def id_of(node: Node) -> str:
        """Return how the cluster calls a node."""
        return node.tell("CLUSTER", "MYID").split("\r\n")[1]

    def begin_move(self, slot: int, source: Node, target: Node) -> None:
        """Let a slot be on its way, with all its keys still where they were."""
        target.tell("CLUSTER", "SETSLOT", str(slot), "IMPORTING", self.id_of(source))
        source.tell("CLUSTER", "SETSLOT", str(slot), "MIGRATING", self.id_of(target))

    @staticmethod
    def names_in(slot: int, node: Node) -> list[str]:
        """Return at most 100 keys of a slot that a server has."""
        return [line for line in node.tell("CLUSTER", "GETKEYSINSLOT", str(slot), "100").split("\r\n")[2::2] if line]

    @staticmethod
    def move_keys(names: Iterable[str], source: Node, target: Node) -> None:
        """Move some keys of a slot that is on its way."""
        for name in names:
            source.tell("MIGRATE", "127.0.0.1", str(target.port), name, "0", "5000")

    def move(self, slot: int, source: Node, target: Node) -> None:
        """Move a slot with all its keys, as an operator does."""
        self.begin_move(slot, source, target)
        while names := self.names_in(slot, source):
            self.move_keys(names, source, target)
        for node in (target, source, *self.nodes[: self._primaries]):
            node.tell("CLUSTER", "SETSLOT", str(slot), "NODE", self.id_of(target))


class Watched:
    """A primary with replicas, which Sentinels watch and replace; started by `with`."""

    NAME = "tafelrunde"

    def __init__(self, kind: str, folder: Path, replicas: int = 1, sentinels: int = 3, options: Mapping[str, str] = NONE) -> None:
        self.primary = Node(kind, folder / "primary", **options)
        follow = {**options, "replicaof": f"127.0.0.1 {self.primary.port}", "repl-diskless-sync-delay": "0"}
        self.replicas = [Node(kind, folder / f"replica-{number}", **follow) for number in range(replicas)]
        self._sentinels = [_Sentinel(kind, folder / f"sentinel-{number}", self.primary.port) for number in range(sentinels)]
        self._stack = ExitStack()

    @property
    def url(self) -> str:
        """The address of the primary by way of the Sentinels."""
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{each.port}" for each in self._sentinels) + f"/{self.NAME}"

    def __enter__(self) -> Watched:
        with ExitStack() as starting:
            for server in (self.primary, *self.replicas):
                starting.enter_context(server)
            _until(lambda: all(_linked(replica) for replica in self.replicas))
            for sentinel in self._sentinels:
                starting.enter_context(sentinel)
            known = (len(self._sentinels) - 1, len(self.replicas))
            _until(lambda: all(sentinel.others() == known for sentinel in self._sentinels))
            self._stack = starting.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stack.close()

    def empty(self) -> None:
        """Forget all data, as soon as the primary takes writes."""
        _until(lambda: any(each.ask("FLUSHALL") == "+OK" for each in self.primaries()))

    def primaries(self) -> list[Node]:
        """Return the server that the Sentinels name now, or none while they differ."""
        named = {sentinel.primary() for sentinel in self._sentinels}
        return [each for each in (self.primary, *self.replicas) if {each.port} == named]

    def wait_until_replaced(self, killed: Node) -> None:
        """Wait until the Sentinels name another primary than the one that was killed."""
        _until(lambda: any(each is not killed for each in self.primaries()))

    def wait_until_copied(self) -> None:
        """Wait until every other server has what the primary has."""

        def copied() -> bool:
            others = [each for each in (self.primary, *self.replicas) if each not in self.primaries()]
            return len(others) == len(self.replicas) and all(map(_linked, others))

        _until(copied)


class _Sentinel(Node):
    """One Sentinel; it writes its own file."""

    def __init__(self, kind: str, folder: Path, primary: int) -> None:
        super().__init__(kind, folder)
        self._file = folder / "sentinel.conf"
        name = Watched.NAME
        lines = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "unixsocket": str(self.socket),
            "dir": str(folder),
            "sentinel": f"monitor {name} 127.0.0.1 {primary} 2",
        }
        text = "".join(f"{key} {value}\n" for key, value in lines.items())
        text += f"sentinel down-after-milliseconds {name} {DOWN_MS}\nsentinel failover-timeout {name} 5000\n"
        self._file.write_text(text, encoding="utf-8")
        self.options = {}

    def arguments(self) -> list[str]:
        """Return the file, and that it is to be a Sentinel."""
        return [str(self._file), "--sentinel"]

    def primary(self) -> int:
        """Return the port of the primary that it names."""
        return int(self.tell("SENTINEL", "GET-MASTER-ADDR-BY-NAME", Watched.NAME).split("\r\n")[4])

    def others(self) -> tuple[int, int]:
        """Return how many other Sentinels and how many replicas it knows."""
        told = self.tell("SENTINEL", "MASTER", Watched.NAME).split("\r\n")[2::2]
        facts = dict(zip(told[::2], told[1::2], strict=False))
        return int(facts["num-other-sentinels"]), int(facts["num-slaves"])


def _linked(replica: Node) -> bool:
    return "master_link_status:up" in replica.tell("INFO", "replication")


def _until(found: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not found():
        if time.monotonic() > until:
            pytest.fail("the servers did not find each other")
        time.sleep(0.02)
