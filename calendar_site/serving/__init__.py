"""The server: gunicorn with uvicorn's event loop, which waits for clients while Django runs in threads."""
