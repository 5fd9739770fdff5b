"""What published content is: its states, rights, texts, slugs and dates. Imports Django only."""
