"""The tables that triggers keep for lists and totals: links with the columns of their event, and tallies of days."""
