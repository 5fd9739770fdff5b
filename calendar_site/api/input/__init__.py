"""Arguments of requests: parsing bodies and values, and the serializers of writes."""
