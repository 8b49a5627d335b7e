//! The `tilesight` command: everything it does is in [`tilesight::cli`].

use std::process::ExitCode;

/// Keeps the blocks of one photo for the next.
#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tilesight::cli::main()
}
