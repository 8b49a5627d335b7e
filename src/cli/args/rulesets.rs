//! Rule sets that are named on the command line or by settings: shipped ones, and files of
//! profiles.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tilesight_core::rules::{Book, InvalidRulesetId, Profile, RulesetId};
use tilesight_files::input;

use super::folder::list_files;

/// Extension of a profile's file.
const EXTENSION: &str = "toml";
/// Maximum size of a profile's file, in bytes: the longest shipped one has 4 kB.
const MAX_BYTES: usize = 1 << 20;

/// Returns a rule set by its name, or by the file of a profile.
///
/// # Errors
/// A message when there is no such rule set, or the file can't be used.
pub(in crate::cli) fn parse_named(text: &str) -> Result<Arc<Profile>, String> {
    let file = Path::new(text);
    let mut book = Book::shipped();
    if file.extension().is_none_or(|extension| extension != EXTENSION) {
        let id: RulesetId = text.parse().map_err(|error: InvalidRulesetId| error.to_string())?;
        return book.get(id).cloned().map_err(|error| error.to_string());
    }
    book.install(read(file)?).cloned().map_err(|error| format!("{text}: {error}"))
}

/// Returns the shipped rule sets and the given one, which may be the profile of a file.
#[must_use]
pub(in crate::cli) fn book_with(named: Option<&Arc<Profile>>) -> Book {
    let mut book = Book::shipped();
    for profile in named.into_iter().filter(|profile| !profile.is_shipped()) {
        book.add(Arc::clone(profile)).expect("`named` has checked it");
    }
    book
}

/// Returns the shipped rule sets and the profiles of a folder, or of one file.
///
/// # Errors
/// A message that names the file, and the line if there is one.
pub(in crate::cli) fn book_from(place: Option<&Path>) -> Result<Book, String> {
    let mut book = Book::shipped();
    let Some(place) = place else { return Ok(book) };
    let files = if place.is_dir() {
        list_files(place, EXTENSION).map_err(|error| format!("{}: {error}", place.display()))?
    } else {
        vec![place.to_owned()]
    };
    for file in files {
        let text = read_trusted(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        book.install(parse_profile(&file, &text)?)
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(book)
}

/// Reads a profile for a service, which has more rights than the author of the file may have.
fn read_trusted(file: &Path) -> io::Result<String> {
    let text = tilesight_files::trusted::read_to_string(file)?;
    Ok(text)
}

/// Reads a profile from its file.
pub(in crate::cli) fn read(file: &Path) -> Result<Profile, String> {
    let shown = file.display();
    let text =
        input::read_to_string(file, MAX_BYTES).map_err(|error| format!("{shown}: {error}"))?;
    parse_profile(file, &text)
}

fn parse_profile(file: &Path, text: &str) -> Result<Profile, String> {
    let shown = file.display();
    Profile::parse(text).map_err(|error| match error.line {
        Some(line) => format!("{shown}:{line}: {}", error.reason),
        None => format!("{shown}: {}", error.reason),
    })
}
