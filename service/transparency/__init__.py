"""The log over all finished matches: a Merkle tree that anybody can check."""
