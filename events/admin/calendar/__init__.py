"""The calendar of the admin: its views, the pop-over of an event, and moving events."""
