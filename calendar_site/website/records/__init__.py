"""The pages of records: each event with what surrounds it, and venues, organizers, categories and tags."""
