"""Where messages never go: every address that is not of the public internet, whatever its spelling, name or detour."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.outgoing.address_guard import LOOK_UPS_AT_ONCE, Guard, Resolver, networks
from tafelrunde.service.outgoing.http_sender import AttemptOutcome, Post, Result, ports_of, post_of
from tafelrunde.service.settings import Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.receiver import LOOPBACK, Receiver, receiving, status, unresolved

pytestmark = pytest.mark.anyio

INSIDE = (
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"),  # noqa: S104 - it is to be refused
    *("172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255", "192.0.0.192"),
    *("192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "192.88.99.1", "224.0.0.1", "239.255.255.250"),
    *("240.0.0.1", "255.255.255.255", "168.63.129.16"),
    *("::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::"),
    *("2002:a00:1::1", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1"),
    *("4000::1", "5f00::1", "", "localhost", "1.2.3", "0x7f000001", "2130706433", "0177.0.0.1"),
)
OUTSIDE = (
    *("1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1"),
    *("172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"),
    *("2001:4860:4860::8888", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:1.1.1.1", "64:ff9b::8.8.8.8"),
)
HEADERS = {"content-type": "application/json"}


@pytest.mark.parametrize("address", INSIDE)
def test_address_is_refused_when_it_is_not_of_the_public_internet(address: str) -> None:
    """Private, loopback, link-local, carrier's, multicast, reserved; also those that have an IPv4 address inside."""
    assert not Guard().admits(address)


@pytest.mark.parametrize("address", OUTSIDE)
def test_address_is_admitted_when_it_is_of_the_public_internet(address: str) -> None:
    """Up to the last address before a refused network, and from the first behind it."""
    assert Guard().admits(address)


def test_address_is_admitted_when_the_operator_allows_its_network() -> None:
    """That network alone, in either spelling."""
    guard = Guard(networks("10.1.0.0/16, fd00:1::/32,"))
    assert [guard.admits(each) for each in ("10.1.2.3", "::ffff:10.1.2.3", "fd00:1::5")] == [True] * 3
    assert [guard.admits(each) for each in ("10.2.0.1", "127.0.0.1", "fd00:2::5", "::1")] == [False] * 4
    with pytest.raises(StartupRefused, match=r"^TAFELRUNDE_WEBHOOK_NETWORKS is '10\.1'"):
        networks("10.1")


def test_ports_without_https_are_allowed_where_that_is() -> None:
    """As are the operator's; a port that is none stops the start."""
    assert ports_of(Settings(webhook_http=True, webhook_ports="9000")) == {80, 443, 8080, 8443, 9000}
    for wrong in ("https", "0", "65536", "-1"):
        with pytest.raises(StartupRefused, match=rf"^TAFELRUNDE_WEBHOOK_PORTS is '{wrong}', which does not work"):
            ports_of(Settings(webhook_ports=wrong))


@pytest.mark.parametrize("found", [["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::ffff:127.0.0.1"], []])
async def test_nothing_is_sent_when_a_name_leads_inside(receiver: Receiver, found: list[str]) -> None:
    """One refused address among others is enough, and it looks like a name that leads nowhere."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return found

    post = Post(Guard(), resolve, plain=True)
    url = receiver.url.replace("127.0.0.1", "innocent.example")
    assert await post.send(url, HEADERS, b"{}") == Result(AttemptOutcome.ADDRESS_REFUSED)
    assert receiver.connections == 0


async def test_name_is_looked_up_once_for_an_attempt_and_again_for_the_next(receiver: Receiver) -> None:
    """A name that leads elsewhere between judgment and connection changes nothing: the connection goes to what was judged."""
    answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]]
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        asked.append(f"{host}:{port}")
        return answers.pop(0)

    post = Post(LOOPBACK, rebinding, plain=True, timeout_seconds=PATIENCE_SECONDS)
    url = receiver.url.replace("127.0.0.1", "rebinding.example")
    outcomes = [(await post.send(url, HEADERS, b"{}")).outcome for _ in range(3)]
    await post.close()
    assert outcomes == [AttemptOutcome.DELIVERED, AttemptOutcome.ADDRESS_REFUSED, AttemptOutcome.DELIVERED]
    assert len(asked) == 3
    assert [got.headers["host"] for got in receiver.got] == [url.split("/")[2]] * 2


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_redirect_is_a_failure_and_never_followed(receiver: Receiver, code: int) -> None:
    """Not even to an address that might be reached directly."""
    receiver.answers = [status(code, f"location: {receiver.url}/inside")]
    post = Post(LOOPBACK, Resolver(), plain=True)
    assert await post.send(receiver.url, HEADERS, b"{}") == Result(AttemptOutcome.REDIRECTED, code)
    await post.close()
    assert [got.path for got in receiver.got] == ["/hook"]


async def test_proxy_of_the_environment_is_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would look the name up by itself."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    post = Post(LOOPBACK, Resolver(), plain=True)
    assert (await post.send(receiver.url, HEADERS, b"{}")).outcome is AttemptOutcome.DELIVERED
    await post.close()


@pytest.mark.parametrize("host", ["xn--i-7iq.ws", "xn--a"])
async def test_message_is_sent_when_its_host_cannot_be_decoded(receiver: Receiver, host: str) -> None:
    """A host is looked up as it is written; what it stands for is nothing that a sender must know."""

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    post = Post(LOOPBACK, resolve, plain=True, timeout_seconds=PATIENCE_SECONDS)
    assert (await post.send(receiver.url.replace("127.0.0.1", host), HEADERS, b"{}")).outcome is AttemptOutcome.DELIVERED
    await post.close()


@pytest.mark.parametrize("host", ["..com", "a..b", f"{'a' * 64}.com", "ä..b", ""])
async def test_attempt_fails_when_the_host_of_a_stored_url_can_be_none(host: str) -> None:
    """A webhook from before that was refused: the attempt is an ordinary failure, and nothing is looked up."""
    assert (await Post(Guard(), unresolved).send(f"https://{host}/", HEADERS, b"{}")).status is None


async def test_look_up_that_hangs_ends_with_the_attempt() -> None:
    """It has threads of its own, too."""

    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(10 * PATIENCE_SECONDS)
        return []

    async with asyncio.timeout(PATIENCE_SECONDS):
        result = await Post(Guard(), never, timeout_seconds=0.05).send("https://slow.example/", HEADERS, b"{}")
    assert result == Result(AttemptOutcome.TIMED_OUT)


async def test_resolver_finds_numbers_and_spellings_of_them() -> None:
    """So a spelling that the system's resolver takes for an address is judged as that address."""
    resolver = Resolver()
    assert await resolver("127.0.0.1", 80) == ["127.0.0.1"]
    assert "127.0.0.1" in await resolver("0x7f.1", 80)
    with pytest.raises(OSError, match="name"):
        await resolver("a" * 70 + ".example", 80)


async def test_look_ups_that_hang_leave_room_again_when_they_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller has given up long ago; there are never more threads than the limit."""
    going = threading.Event()
    asked = list[str]()

    def slow(host: str, port: int, **_: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
        asked.append(host)
        going.wait(PATIENCE_SECONDS)
        return [(2, 1, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    resolver = Resolver()
    tries = [asyncio.ensure_future(resolver(f"slow-{number}.example", 80)) for number in range(2 * LOOK_UPS_AT_ONCE)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(asked) < LOOK_UPS_AT_ONCE:  # noqa: ASYNC110 - threads set no event
            await asyncio.sleep(0.01)
    assert all(each.cancel() for each in tries)
    await asyncio.wait(tries)
    assert len(asked) == LOOK_UPS_AT_ONCE
    going.set()
    assert await asyncio.wait_for(resolver("quick.example", 80), PATIENCE_SECONDS) == ["127.0.0.1"]


async def test_settings_allow_nothing_inside_unless_they_say_so(receiver: Receiver) -> None:
    """Neither plain HTTP nor loopback."""
    assert post_of(Settings()).why_not(receiver.url) == "https is needed"
    assert post_of(Settings(webhook_http=True)).why_not(receiver.url) == "its address is not one of the public internet"
    post = post_of(Settings(webhook_http=True, webhook_networks="127.0.0.0/8"))
    assert post.why_not(receiver.url) is None
    assert (await post.send(receiver.url, HEADERS, b"{}")).outcome is AttemptOutcome.DELIVERED
    await post.close()


def certificate(name: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return contexts of a server that has a fresh certificate for a name, and of a client that trusts it."""
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    about = ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([*made, *about, *files], check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return server, ssl.create_default_context(cafile=folder / "cert.pem")


async def test_certificate_must_be_that_of_the_name(tmp_path: Path) -> None:
    """The connection goes to a number, but handshake, certificate and Host are those of the name."""
    server, client = certificate("hooks.example", tmp_path)
    asked: list[str] = []

    def note(_: object, name: str, __: object) -> None:
        asked.append(name)

    server.sni_callback = note

    async def resolve(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    async with receiving(server) as receiver:
        post = Post(LOOPBACK, resolve, timeout_seconds=PATIENCE_SECONDS, trust=lambda: client)
        urls = [receiver.url.replace("127.0.0.1", name) for name in ("hooks.example", "other.example")]
        assert [(await post.send(url, HEADERS, b"{}")).outcome for url in urls] == [
            AttemptOutcome.DELIVERED,
            AttemptOutcome.UNREACHABLE,
        ]
        assert (await post.send(receiver.url, HEADERS, b"{}")).outcome is AttemptOutcome.UNREACHABLE
        await post.close()
        assert asked[:2] == ["hooks.example", "other.example"]
        assert [got.headers["host"] for got in receiver.got] == [urls[0].split("/")[2]]
