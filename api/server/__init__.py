"""The HTTP server of the api: HTTP/1.1, WebSocket, and a fair way of accepting, on top of uvicorn."""
