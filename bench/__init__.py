"""Benchmarks: `make bench` measures in one run, prints the figures with their ratios, and writes them to bench/results/."""
