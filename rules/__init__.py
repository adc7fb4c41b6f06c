"""What the observed play means: the rules of the games, judged without clock, I/O or randomness."""
