"""What is done later: deadlines, bot turns, webhooks, and the command line that starts every process."""
