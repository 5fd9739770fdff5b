"""Text: normalizing, shortening and joining it, sanitizing and converting HTML, and comparing two texts."""
