"""What the tests in the browser share: what they do in the admin, and what a page must be."""
