"""Base classes of the ModelAdmins."""
