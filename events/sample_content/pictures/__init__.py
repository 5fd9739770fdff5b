"""The pictures of the sample content: flat illustrations, composed of motifs by the data file `pictures`."""
