"""The wire contract: viewsets, filters, pagination, errors and the OpenAPI document. Does not depend on any app."""
