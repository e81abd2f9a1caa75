"""Which hosts a webhook's URL may name: a host is never decoded, and what can be none is refused in a sentence."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

SENT_TO = (
    *("xn--i-7iq.ws", "xn--ls8h.la", "xn--mnchen-3ya.de", "hooks.xn--i-7iq.ws", "xn--a", "xn--a.com", "xn--0.com", "xn--"),
    *("XN--A.com", "example.com.", "a_b.example", f"{'a' * 63}.example", ".".join(["a" * 49] * 5)),
)
NO_HOSTS = (
    *("..com", "a..b", ".", "..", ".com", "a.b..", f"{'a' * 64}.example", f"xn--{'a' * 60}.ws", ".".join(["a" * 50] * 5)),
    *("", "[::1", "[zz::1]", "a%2e.com"),
)
NOT_ASCII = ("ex ample.com", "exämple.com", "☃.net", "xn--ä.com", "example.com\n")
HOSTS = [(host, status) for status, hosts in ((201, SENT_TO), (422, NO_HOSTS), (400, NOT_ASCII)) for host in hosts]
LIKE_HOSTS = st.text(alphabet=st.sampled_from("xn-aZ09._~:@/?#[]%\\ \x00\x7f\u00ad\u3002ßä٣☃"), max_size=80) | st.text()


@pytest.mark.parametrize(("host", "status"), HOSTS)
async def test_webhook_is_refused_when_its_host_can_be_none(table: Table, host: str, status: int) -> None:
    """When it is made, and when its URL is changed; whatever else a host may be is found out when something is sent."""
    _, token = await table.player()
    wish = {"url": f"https://{host}/hook", "events": ["match.ended"]}
    made = await table.post("/webhooks", token, wish)
    old = await table.post("/webhooks", token, {**wish, "url": "https://example.com/"})
    path = f"/api/v1/webhooks/{old.json['webhook']['id']}"
    changed = await table.ask("PATCH", path, token=token, content={"url": wish["url"]})
    assert (made.status, changed.status) == (status, 200 if status == 201 else status)
    if status == 422:
        assert made.json["type"] == changed.json["type"] == "urn:tafelrunde:problem:webhook-url-refused"


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(LIKE_HOSTS)
@example("xn--i-7iq.ws")
async def test_text_is_taken_or_refused_when_it_is_a_url(text: str) -> None:
    """No text is an error of the service: as a host, and as a whole URL."""
    async with opened() as table:
        _, token = await table.player()
        for url in (text, f"https://{text}", f"https://xn--{text}/"):
            answer = await table.post("/webhooks", token, {"url": url, "events": ["match.ended"]})
            assert answer.status in {201, 400, 422}
