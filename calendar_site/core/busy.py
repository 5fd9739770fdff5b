"""The exception for a resource that is busy or does not respond, such as the store of the images."""


class ResourceBusy(Exception):
    """The request can be repeated later. The message is for users."""
