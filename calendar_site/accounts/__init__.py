"""Users, roles, application passwords, the second factor and login throttling."""
