"""How the API describes itself: the index, `OPTIONS` and the OpenAPI document, all from what the views declare."""
