"""The foundation: permissions, slugs, the current time, and one package per subject. Imports no upper package."""
