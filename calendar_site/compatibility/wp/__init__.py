"""The routes of `wp/v2`: the accounts, images, terms and records of a WordPress site (compatibility.md, section 5)."""
