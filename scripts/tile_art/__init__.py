"""The drawn tile set of Tilesight: `python3 -m tile_art` writes assets/tiles/*.svg (see
assets/README.md)."""
