"""The wire contract: viewsets, filters, pagination, errors and the OpenAPI document. Knows no app."""
