"""Descriptions of the API, built from the declarations of the views: the index, `OPTIONS` and the OpenAPI document."""
