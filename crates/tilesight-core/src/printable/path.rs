//! Paths and names of files as texts from which they can be restored.
//!
//! Input: a path, or the bytes of a name. Output: a text that can be printed. Invariant: two paths
//! never have one text.

use std::fmt::Write as _;
use std::path::Path;

use super::is_unprintable;

/// The character that begins an escape: one that separates no folders, and that is rare in names.
pub const ESCAPE: char = if cfg!(windows) { '?' } else { '\\' };

/// A path as a text that no other path has.
#[must_use]
pub fn path_text(path: &Path) -> String {
    reversible(path.as_os_str().as_encoded_bytes())
}

/// Text from which the bytes can be restored, also from a table's cell: what is not UTF-8, what
/// can't be printed and white space at either end is written as `\xNN`, one for each byte, and the
/// escape itself twice.
#[must_use]
pub fn reversible(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                ESCAPE => text.extend([ESCAPE, ESCAPE]),
                _ if is_unprintable(letter) => text.push_str(&written_out(letter)),
                _ => text.push(letter),
            }
        }
        chunk.invalid().iter().for_each(|&byte| push_byte(&mut text, byte));
    }
    let inner = text.trim();
    let (before, after) = if inner.is_empty() {
        (text.as_str(), "")
    } else {
        text.split_once(inner).unwrap_or_default()
    };
    format!("{}{inner}{}", write_out_all(before), write_out_all(after))
}

fn write_out_all(space: &str) -> String {
    space.chars().map(written_out).collect()
}

fn written_out(letter: char) -> String {
    let mut text = String::new();
    letter.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_byte(&mut text, byte));
    text
}

fn push_byte(text: &mut String, byte: u8) {
    // Writing to a string never fails.
    let _ = write!(text, "{ESCAPE}x{byte:02x}");
}
