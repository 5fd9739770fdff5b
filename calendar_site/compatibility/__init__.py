"""Compatibility mode: addresses and shapes of The Events Calendar on WordPress, for clients that cannot be changed.

With the setting COMPATIBILITY_MODE only. Everything here translates at the edge: what the service stores, who may do
what, and how records are found and written is decided by the packages below (decision 0090). The facts about the
original are those of `compatibility.md`; `the original` in this package is The Events Calendar 6 on WordPress.
"""
