"""HTTP: the current request, the address and language of its client, security headers, and the HTTP client."""
