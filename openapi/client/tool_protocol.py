"""What this package uses of the official `mcp` package, in either of its versions (1 and 2), with our own name and version."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeAlias

from mcp.server.transport_security import TransportSecuritySettings
from pydantic import ValidationError

NAME = "tafelrunde"
LEVEL = "WARNING"

# The names that version 2 changed stand in both halves. Types are checked by those of version 1, which is locked.
if TYPE_CHECKING or version("mcp").startswith("1."):
    from mcp.server.fastmcp import Context, FastMCP
    from mcp.server.fastmcp.exceptions import ToolError

    Server: TypeAlias = FastMCP[Any]
    Host: TypeAlias = Context[Any, Any, Any]
else:
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    Server = MCPServer[Any]
    Host = Context[Any, Any]

__all__ = ["GameProtocol", "Host", "ToolError"]


class GameProtocol(Server):
    """A server that says who it is, and refuses arguments in one sentence."""

    def __init__(self, instructions: str) -> None:
        if TYPE_CHECKING or version("mcp").startswith("1."):
            super().__init__(NAME, instructions=instructions, log_level=LEVEL)
            self._mcp_server.version = version(NAME)  # otherwise it would be the version of the SDK
        else:
            super().__init__(NAME, instructions=instructions, log_level=LEVEL, version=version(NAME))

    def http_app(self, path: str) -> Any:
        """Return an application that serves this server as Streamable HTTP under a path.

        Host and origin are not checked: that protects servers that need no token, and this one is asked with one.
        """
        open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        if TYPE_CHECKING or version("mcp").startswith("1."):
            self.settings.transport_security = open_to_all
            self.settings.streamable_http_path = path
            return self.streamable_http_app()
        return self.streamable_http_app(streamable_http_path=path, transport_security=open_to_all)

    async def call_tool(self, name: str, arguments: dict[str, Any], *context: Any) -> Any:
        """Call a tool; raise ToolError with what is wrong in the arguments, by name."""
        try:
            return await super().call_tool(name, arguments, *context)
        except ToolError as refused:
            if not isinstance(refused.__cause__, ValidationError):
                raise
            wrong = "; ".join(f"`{'.'.join(map(str, each['loc']))}`: {each['msg']}" for each in refused.__cause__.errors())
            raise ToolError(f"{name} was called with wrong arguments. {wrong}.") from None
