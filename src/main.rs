//! The `tilesight` command. The implementation is in [`tilesight::cli`].

use std::process::ExitCode;

/// Allocator that keeps the memory of one photo for the next one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tilesight::cli::main()
}
