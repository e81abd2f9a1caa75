"""Programs for maintainers, run by make: they write files made from the code, and run checks too slow for every test run."""
