//! The `tilesight` command.

fn main() {}
