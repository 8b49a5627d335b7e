//! Writes measured figures into docs/layout.md.

use std::path::Path;
use std::{fs, io};

/// Puts figures between the marks of a name: `<!-- name -->` and `<!-- /name -->`.
///
/// # Errors
/// A page that can't be read or written, or does not have the marks.
pub(crate) fn write_figures(name: &str, figures: &str) -> io::Result<()> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("docs/layout.md");
    let page = fs::read_to_string(&path)?;
    let start = format!("<!-- {name} -->\n");
    let end = format!("<!-- /{name} -->");
    let parts =
        page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) = parts.ok_or_else(|| {
        io::Error::other(format!("docs/layout.md does not have the marks `<!-- {name} -->`"))
    })?;
    fs::write(path, format!("{before}{start}{figures}{end}{after}"))
}
