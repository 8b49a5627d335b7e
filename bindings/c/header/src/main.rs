//! Makes the header of the C library from the exports in `bindings/c/src/exports`.
//!
//!     cargo run --manifest-path bindings/c/header/Cargo.toml
//!
//! Input: the source of the exports. Output: the header, on standard output. Invariant: the same
//! source gives the same bytes.

use std::io;
use std::path::Path;

use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};

/// Text at the beginning of the header.
const ABOUT: &str = "\
/* Tilesight for C: scores hands of mahjong, and reads them from photos.
 *
 * Every function that answers returns a handle. `tilesight_status` says whether it is an answer or
 * a problem, `tilesight_text` has its text, which is JSON but for tables, and `tilesight_release`
 * releases it. A handle that was released is recognised: a call with it returns a problem, its
 * status is 0 and its text NULL. Bytes and texts that are passed must not be changed or freed
 * before the function returns; afterwards they are not needed. Requests, answers and problems are
 * those of the HTTP service: docs/contract.md.
 *
 * Made from bindings/c/src/exports by `make c-header`. */";

/// Source files in the order of the header.
const SOURCES: [&str; 3] = ["answer.rs", "engine.rs", "reader.rs"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = Config {
        language: Language::C,
        style: Style::Type,
        documentation_style: DocumentationStyle::Doxy,
        header: Some(ABOUT.to_owned()),
        include_guard: Some("TILESIGHT_H".to_owned()),
        cpp_compat: true,
        line_length: 100,
        ..Config::default()
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/exports");
    let sources = SOURCES.iter().map(|name| folder.join(name));
    let builder = sources.fold(Builder::new().with_config(config), Builder::with_src);
    builder.generate()?.write(io::stdout().lock());
    Ok(())
}
