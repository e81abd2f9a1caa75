"""What is true: the match aggregate and the rules of every game, without clock, chance or I/O."""
