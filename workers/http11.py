"""HTTP/1.1 as uvicorn and httptools read it, and two things that they leave to their users.

- An offer to change the protocol (`Upgrade: h2c`, sent by `curl --http2` and by default by the HTTP client of the JDK) is
  ignored, as RFC 9110, section 7.8, allows. llhttp ends its message there and leaves the body out, so a fresh parser reads on.
- A request without a version or of another one, and one that does not name its host exactly once, is refused (RFC 9112, 3.2).
"""

from __future__ import annotations

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

FRAMING = (b"content-length", b"transfer-encoding")
"""What says how long a body is; llhttp has checked it before a message's headers are complete."""
VERSIONS = ("1.0", "1.1")


class Malformed(ValueError):
    """The request is not one of HTTP/1.0 or HTTP/1.1; the parser's user answers 400."""


class Connection(HttpToolsProtocol):
    """One connection of a client."""

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        self._unset_keepalive_if_required()
        try:
            self._read(data)
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")

    def _read(self, data: bytes) -> None:
        while True:
            try:
                return self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as offer:
                data = data[offer.args[0] :]
                self._read_on()

    def _read_on(self) -> None:
        """Have a fresh parser read on: first the body of the request that made the offer, if it has one."""
        framing = self._framing()
        rest = _Rest(self)
        self.parser = httptools.HttpRequestParser(rest)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        if framing:
            lines = [b"POST / HTTP/1.1", *(b"%s: %s" % each for each in framing), b"", b""]
            self.parser.feed_data(b"\r\n".join(lines))
        rest.head_is_known = False

    def _framing(self) -> list[tuple[bytes, bytes]]:
        return [(name, value) for name, value in self.headers if name in FRAMING]

    def on_headers_complete(self) -> None:
        """Begin to answer a request."""
        version = self.parser.get_http_version()
        hosts = [name for name, _ in self.headers].count(b"host")
        if version not in VERSIONS or hosts > 1 or (version == "1.1" and not hosts):
            raise Malformed
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that a request is there as a whole. A body behind an offer is still to come."""
        if not (self.parser.should_upgrade() and self._framing()):
            super().on_message_complete()


class _Rest:
    """What a parser that reads on tells its connection: nothing of a head that stands for one that was read before."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.head_is_known = True
        self.on_body = connection.on_body
        self.on_message_complete = connection.on_message_complete

    def on_message_begin(self) -> None:
        if not self.head_is_known:
            self._connection.on_message_begin()

    def on_url(self, url: bytes) -> None:
        if not self.head_is_known:
            self._connection.on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.head_is_known:
            self._connection.on_header(name, value)

    def on_headers_complete(self) -> None:
        if not self.head_is_known:
            self._connection.on_headers_complete()
