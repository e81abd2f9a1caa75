"""URLs that new webhooks may have."""

from __future__ import annotations

import pytest

from tafelrunde.service.features.webhooks.player_webhooks import UrlRefused, WebhookSpec
from tafelrunde.service.outgoing.address_guard import Guard, Resolver
from tafelrunde.service.outgoing.http_sender import Post, post_of
from tafelrunde.service.settings import Settings
from tests.support.receiver import LOOPBACK, OWNER, Office, Receiver, unresolved

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://example.com/",
            "ftp://example.com/",
            "example.com",
            "//example.com/",
            "https://",
            "https:///x",
            "https://:443/",
        ),
        *("https://user@example.com/", "https://example.com/#part", "https://exämple.com/"),
        *("https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://0x7f.1/", "https://0x7f000001/"),
        *("https://0177.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fe80::1%25eth0]/", "https://0/"),
        *(
            "https://169.254.169.254/latest",
            "https://10.0.0.1:8443/",
            "https://127.0.0.1./",
            "https://example.com:99999/",
            "https://example.com:0/",
        ),
        *("https://[::1/", "https://exa mple.com/", "javascript:alert(1)", ""),
    ],
)
async def test_url_is_refused_when_its_text_alone_speaks_against_it(office: Office, url: str) -> None:
    """Nothing is looked up for that, so the names that exist inside cannot be probed."""
    office.player_webhooks._post = Post(Guard(), unresolved)
    with pytest.raises(UrlRefused):
        await office.player_webhooks.make(OWNER, url, ("match.ended",), None, None)
    assert list(await office.player_webhooks.all(OWNER)) == []


@pytest.mark.parametrize(
    "url", ["https://example.com", "https://example.com:8443/a?b=c", "https://1.1.1.1/", "https://[2606:4700::1]/"]
)
async def test_url_is_accepted_when_only_sending_can_tell(office: Office, url: str) -> None:
    """A name is resolved and checked again for every message."""
    office.player_webhooks._post = Post(Guard(), unresolved)
    assert (await office.player_webhooks.make(OWNER, url, ("match.ended",), None, None)).url == url


OTHERS = ("https://example.com:22/", "https://example.com:80/", "https://example.com:8080/", "https://example.com:444/")


@pytest.mark.parametrize("url", OTHERS)
async def test_url_is_refused_when_its_port_is_none_of_webhooks(office: Office, url: str) -> None:
    """So the ports of others cannot be scanned; the operator's list is allowed, or all."""
    office.player_webhooks._post = post_of(Settings(), unresolved)
    with pytest.raises(UrlRefused, match=r"^its port is none of 443, 8443,"):
        await office.player_webhooks.make(OWNER, url, ("match.ended",), None, None)
    for allowed in ("22,80, 8080,444", " * "):
        office.player_webhooks._post = post_of(Settings(webhook_ports=allowed), unresolved)
        assert (await office.player_webhooks.make(OWNER, url, ("match.ended",), None, None)).url == url


async def test_webhook_keeps_the_port_that_it_has(office: Office, receiver: Receiver) -> None:
    """It was allowed when it was made: messages go there, and its owner can change everything else."""
    webhook = await office.webhook()
    office.player_webhooks._post = Post(LOOPBACK, Resolver(), plain=True, ports={443})
    office.dispatcher._sender = office.player_webhooks._post
    await office.player_webhooks.ping(OWNER, webhook.id)
    assert await office.dispatcher.portion() == 1
    assert len(receiver.got) == 1
    changed = await office.player_webhooks.change(OWNER, webhook.id, WebhookSpec(url=webhook.url, events=("match.ended",)))
    assert (changed.url, changed.events) == (webhook.url, ("match.ended",))
    with pytest.raises(UrlRefused):
        await office.player_webhooks.change(OWNER, webhook.id, WebhookSpec(url=f"{webhook.url}/other"))
    await office.player_webhooks._post.close()
