"""The feeds of the original, whose addresses subscribers have in their calendars (compatibility.md, section 7)."""
