"""The image library in the admin: lists, uploads, thumbnails."""
