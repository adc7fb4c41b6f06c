"""The composition root of watching: sees, judges and records one table, one transaction a step."""
