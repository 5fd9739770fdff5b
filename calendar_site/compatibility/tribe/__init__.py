"""The namespace `tribe/events/v1` in the shapes of the original (compatibility.md, section 2)."""
