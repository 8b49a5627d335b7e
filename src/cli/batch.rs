//! `tilesight batch`: thousands of photos, from wherever they are to files of results.
mod contexts;
mod entry;
mod names;
mod sources;
