"""The admin site for staff: base classes, forms, and the pages that are about records of all kinds."""
