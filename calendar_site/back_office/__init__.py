"""The admin site for staff: base classes, forms, and pages about records of all kinds."""
