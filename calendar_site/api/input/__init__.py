"""Input: parsers of bodies and values, images, and the serializers of writes."""
