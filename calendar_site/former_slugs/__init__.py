"""The slugs that public records had, so that links to their pages lead on after a change of the slug."""
