"""A name server that knows one name, which has as many addresses as a test says."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Sequence

ADDRESS, ANSWER, INTERNET = 1, 0x8580, 1
"""Type of a question for IPv4 addresses; flags of an answer that was found; class of all questions."""


class Names(threading.Thread):
    """Answers every question for IPv4 addresses with `addresses`, and no other; `url` is where, as HOST:PORT."""

    def __init__(self, addresses: Sequence[str]) -> None:
        super().__init__(daemon=True)
        self.addresses = addresses
        self._socket = socket.socket(type=socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"127.0.0.1:{self._socket.getsockname()[1]}"

    def run(self) -> None:
        """Answer until the socket is closed."""
        while True:
            try:
                asked, whom = self._socket.recvfrom(4096)
            except OSError:
                return
            if not asked:
                return
            self._socket.sendto(self._answer(asked), whom)

    def _answer(self, asked: bytes) -> bytes:
        end = asked.index(0, 12) + 5
        question = asked[12:end]
        found = self.addresses if struct.unpack(">H", question[-4:-2])[0] == ADDRESS else ()
        head = asked[:2] + struct.pack(">HHHHH", ANSWER, 1, len(found), 0, 0)
        # It points back to the name in the question, at byte 12, and holds for no time.
        start = struct.pack(">HHHIH", 0xC00C, ADDRESS, INTERNET, 0, 4)
        return head + question + b"".join(start + socket.inet_aton(each) for each in found)

    def stop(self) -> None:
        """End it."""
        with socket.socket(type=socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self.join()
        self._socket.close()
