"""The floor: some endpoints reimplemented with hand-written SQL, plain Python and orjson, to compare with.

A Django view: with the prefix `/floor`, a path of the API returns the same bytes from the same process, behind the same
middleware and over the same database connection, but without Django REST framework, forms and the ORM.

The floor does what every implementation has to do: count the rows, load a page and its related records (one query for
each kind), look for similar words if a search finds nothing, find the account of an application password, and format
dates in their time zones. It leaves out the rest: validation and arguments that the benchmark does not send, choosing a
similar word to suggest, scheduled events that are due, recording the use of a password, and all headers except type,
length and pagination. For each total of a long list, it counts the first rows, whereas the service remembers that the
list is long. It does not support images, event passwords, custom fields and series, because the events of the benchmark
have none.
"""
