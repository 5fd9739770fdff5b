"""Lists: their query parameters, their order, and the pages and totals of the response."""
