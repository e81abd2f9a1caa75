"""Benchmarks: each prints its figures and writes them to bench/results/ and to its page of the docs; `make bench` runs all."""
