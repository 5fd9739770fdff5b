"""Languages: the prefix of URLs, the formats of dates, and the texts of other packages that are translated here."""
