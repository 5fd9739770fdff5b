"""The admin and the public pages in a real browser, against the served application: `make browser-test`."""
