"""The page where a person lets an application use the API on their behalf (compatibility.md, section 3)."""
