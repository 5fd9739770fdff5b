"""The history of records: a table of revisions for each tracked model, with user, time and channel of each change."""
