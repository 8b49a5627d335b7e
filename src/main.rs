//! The `tilesight` command: everything it does is in [`tilesight::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    tilesight::cli::main()
}
