"""What Sphinx learns for these documents."""
