"""Background work: tasks in the database, the worker that runs them, retries, and the daily schedule."""
