"""Who may do what: accounts, roles, sessions, keys, and the one table of permissions."""
