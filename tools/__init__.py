"""Programs for maintainers, run by make: they write what is made from the code, and check what is too much for every test run."""
