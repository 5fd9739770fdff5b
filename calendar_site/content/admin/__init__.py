"""The back office: the admin of Django over the same rules and services as the API."""
