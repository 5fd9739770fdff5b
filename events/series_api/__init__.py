"""Series over HTTP: routes beside those of the contract."""
