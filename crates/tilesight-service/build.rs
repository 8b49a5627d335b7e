//! Writes the functions for this crate's texts.

fn main() {
    tilesight_texts::generate("service");
}
