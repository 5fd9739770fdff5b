"""The fields of the serializers of events: their own, those of tickets, and those of linked records."""
