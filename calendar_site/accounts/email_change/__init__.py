"""Changing one's own email address, which takes effect when a link that was sent to the new address is followed."""
