"""Links with which users set a password: invitations of new users, and forgotten passwords."""
