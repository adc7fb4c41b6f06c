"""Shows the record to people: the pit wall, rounds, the dealer's screen, the audit explorer."""
