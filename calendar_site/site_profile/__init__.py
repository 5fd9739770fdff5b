"""The name, look and texts of the site, which its owner sets in the admin."""
