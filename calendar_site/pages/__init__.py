"""What the HTML pages for visitors share: rendering, pagination, error pages, responsive images, the API console."""
