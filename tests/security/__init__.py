"""The security tests: one row of the field's security record for each number from S1 to S20.

Each module is named after its number and says in its docstring what went wrong elsewhere and what it checks here. The
modules generate their cases from the routes, models, fields and pages of this project: a new one without an entry in
the table of its module fails. `docs/security-tests.md` lists the rows. Run them with `make security-test`, which takes
`DATABASE_URL` and `ARGS` as `make test` does.
"""
