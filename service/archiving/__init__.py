"""What follows the opening and the end of a match: all who follow them have it, then it becomes one archived blob."""
