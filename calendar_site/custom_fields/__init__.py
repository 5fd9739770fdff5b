"""Fields that maintainers declare for events, venues or organizers, and the values that records have in them."""
