"""Lists of records in the admin: pagination, filters, columns that several lists have."""
