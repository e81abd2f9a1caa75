"""Background work: deadlines, bot turns, webhooks, and the command line that starts every process."""
