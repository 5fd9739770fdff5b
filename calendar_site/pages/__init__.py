"""The base of the HTML pages for visitors: rendering, pagination, error pages, responsive images, the API console."""
