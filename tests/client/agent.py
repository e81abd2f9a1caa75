"""An agent that knows nothing of card games or of this service: it does what the tools say, word for word."""

from __future__ import annotations

import re
from typing import Any

from mcp import ClientSession
from mcp.types import TextContent


class Agent:
    """A model that calls tools; `characters` counts what it has been given to read."""

    def __init__(self, session: ClientSession) -> None:
        self.session = session
        self.characters = 0

    async def use(self, tool: str, **arguments: Any) -> Any:
        """Return the result of a tool."""
        result = await self.session.call_tool(tool, arguments)
        assert not result.isError, result.content
        self.characters += sum(len(each.text) for each in result.content if isinstance(each, TextContent))
        return result.structuredContent

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Return why a tool refuses."""
        result = await self.session.call_tool(tool, arguments)
        assert result.isError
        (content,) = result.content
        assert isinstance(content, TextContent)
        return content.text

    async def finish(self, update: Any) -> Any:
        """Play a match to its end: call what `next` names, with what the question has, and give its first choice."""
        while (step := re.search(r"Call `(\w+)`", update["next"])) is not None:
            if step[1] == "play":
                question = update["question"]
                arguments = {"decision": question["decision"], "choice": int(next(iter(question["choices"])))}
                update = await self.use("play", match=update["match"], **arguments)
            else:
                update = await self.use(step[1], match=update["match"])
        return update

    async def play_a_match(self, game: str, seats: int, bot: str) -> Any:
        """Open a match against bots, play it, and return the last thing it is given to read."""
        return await self.finish(await self.use("open_match", game=game, seats=seats, bots=[bot] * (seats - 1)))
