"""Events with a password: attempts, cookies, hidden fields; and links to the preview of unpublished events."""
