"""Lists of records in the admin: pagination, filters, and common columns."""
