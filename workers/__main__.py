"""`python -m tafelrunde.workers`: the command line."""

from .cli import main

main()
