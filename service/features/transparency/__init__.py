"""The transparency log: a Merkle tree over all finished matches that anyone can check."""
