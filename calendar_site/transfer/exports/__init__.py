"""All content as a documented text file, which any program can read, and its import into an empty service."""
