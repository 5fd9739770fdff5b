"""The routes of `tec/v1`, the newer API of the original (compatibility.md, section 6)."""
