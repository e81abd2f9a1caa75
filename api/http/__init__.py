"""HTTP: from a request to a call, from an answer to bytes; limits, streams and files."""
