"""Forms, form fields and widgets of the back office."""
