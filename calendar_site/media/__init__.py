"""The image library: storing, processing and serving images."""
