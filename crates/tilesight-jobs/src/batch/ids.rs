//! Ids of rows: each id belongs to one row, is printable, and can be mapped back to its file.
//!
//! Input: paths of files, and names of members in archives. Output: a text for each, and a record
//! of which row has which id. The id of a path is the path itself, except for what a text or a cell
//! of a table can't hold: bytes that are not UTF-8, unprintable characters, and white space at
//! either end. Each of their bytes is written as `\xNN`, and the backslash itself as `\\`.
//! Invariants: two paths never have the same id, and [`path_of`] maps the id back to the path; two
//! rows never have the same id, because a duplicate id is refused or gets a number.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tilesight_core::printable::{ESCAPE, path_text, reversible};

/// Name of a member without a usable name.
const UNNAMED: &str = "unnamed";

/// Returns the id of a file.
#[must_use]
pub fn id_of(path: &Path) -> String {
    path_text(path)
}

/// Returns the file that an id belongs to.
#[must_use]
pub fn path_of(id: &str) -> PathBuf {
    if id.contains(ESCAPE) { path_of_bytes(unescape(id)) } else { PathBuf::from(id) }
}

#[cfg(unix)]
fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn path_of_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Returns the name of an archive's member as a path that stays below the archive: parts that point
/// elsewhere (`..`, drives, the root) are dropped.
#[must_use]
pub fn member_name(name: &str) -> String {
    let parts: Vec<&str> = name.split(['/', '\\']).filter(|part| is_plain_part(part)).collect();
    if parts.is_empty() { UNNAMED.to_owned() } else { parts.join("/") }
}

fn is_plain_part(part: &str) -> bool {
    let is_drive = matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic());
    !matches!(part, "" | "." | ".." | "?") && !is_drive
}

/// Returns the id of a member, relative to that of its archive.
#[must_use]
pub fn id_of_member(name: &str) -> String {
    reversible(name.as_bytes())
}

fn unescape(id: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(id.len());
    let mut rest = id;
    while let Some((before, after)) = rest.split_once(ESCAPE) {
        bytes.extend_from_slice(before.as_bytes());
        let digits = after.strip_prefix('x').and_then(|after| after.get(..2));
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        rest = match byte {
            Some(byte) => {
                bytes.push(byte);
                &after[3..]
            }
            None => {
                bytes.push(ESCAPE as u8);
                after.strip_prefix(ESCAPE).unwrap_or(after)
            }
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// First bytes of a SHA-256: no two of a million ids collide.
type Digest = [u8; 16];

/// Status of an id when a row claims it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The id was free and now belongs to the row.
    New,
    /// A row with the same content already has the id.
    Same,
    /// A different row already has the id.
    Taken,
}

/// Ids in use, as hashes: memory grows by about fifty bytes per row.
#[derive(Debug, Default)]
pub struct RowIds {
    rows: HashMap<Digest, Digest>,
    /// Number of the last copy of each id.
    copies: HashMap<Digest, u64>,
}

impl RowIds {
    /// Gives an id to a row with this content, if it is free.
    pub fn claim(&mut self, id: &str, content: &[u8]) -> Claim {
        let content = digest(content);
        match self.rows.get(&digest(id.as_bytes())) {
            Some(row) if *row == content => Claim::Same,
            Some(_) => Claim::Taken,
            None => {
                self.rows.insert(digest(id.as_bytes()), content);
                Claim::New
            }
        }
    }

    /// Gives an id to a row, with the first number appended that makes it free: `a.jpg`, `a.jpg#2`.
    pub fn free(&mut self, id: &str) -> String {
        if self.claim(id, b"") == Claim::New {
            return id.to_owned();
        }
        let key = digest(id.as_bytes());
        let mut number = self.copies.get(&key).copied().unwrap_or(1);
        loop {
            number += 1;
            let copy = format!("{id}#{number}");
            if self.claim(&copy, b"") == Claim::New {
                self.copies.insert(key, number);
                return copy;
            }
        }
    }
}

fn digest(bytes: &[u8]) -> Digest {
    let hash = Sha256::digest(bytes);
    std::array::from_fn(|at| hash[at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tilesight_core::printable::is_unprintable;

    use super::*;

    #[cfg(unix)]
    #[test]
    fn ids_show_what_texts_cannot_carry() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;

        for (name, expected) in [
            (&b"club/a.jpg"[..], "club/a.jpg"),
            ("Åse/王 🀄.jpg".as_bytes(), "Åse/王 🀄.jpg"),
            (b"caf\xe9.jpg", r"caf\xe9.jpg"),
            (b"caf\xe8.jpg", r"caf\xe8.jpg"),
            (br"caf\xe9.jpg", r"caf\\xe9.jpg"),
            (b"\x1b[2J.jpg", r"\x1b[2J.jpg"),
            (b"a\n.jpg", r"a\x0a.jpg"),
            ("gpj\u{202e}.jpg".as_bytes(), r"gpj\xe2\x80\xae.jpg"),
            (b" a b .jpg", r"\x20a b .jpg"),
            (b"a.jpg ", r"a.jpg\x20"),
            (b" ", r"\x20"),
            (b"", ""),
        ] {
            let path = Path::new(OsStr::from_bytes(name));
            assert_eq!(id_of(path), expected);
            assert_eq!(path_of(expected), path, "{expected}");
        }
        // Text that people write without an escape is taken literally.
        assert_eq!(path_of(r"a\b.jpg"), Path::new(r"a\b.jpg"));
    }

    #[test]
    fn names_of_members_stay_below_their_archive() {
        for (name, expected) in [
            ("club/a.jpg", "club/a.jpg"),
            (r"club\a.jpg", "club/a.jpg"),
            (r"..\..\w.jpg", "w.jpg"),
            ("../../etc/./w.jpg", "etc/w.jpg"),
            ("/etc/w.jpg", "etc/w.jpg"),
            (r"C:\photos\w.jpg", "photos/w.jpg"),
            (r"\\?\C:\w.jpg", "w.jpg"),
            ("12:30.jpg", "12:30.jpg"),
            ("..", UNNAMED),
            ("", UNNAMED),
        ] {
            assert_eq!(member_name(name), expected, "{name}");
        }
    }

    #[test]
    fn an_id_belongs_to_one_row() {
        let mut ids = RowIds::default();
        assert_eq!(ids.claim("a", b"1"), Claim::New);
        assert_eq!((ids.claim("a", b"1"), ids.claim("a", b"2")), (Claim::Same, Claim::Taken));
        assert_eq!(["a", "a", "b", "a#4"].map(|id| ids.free(id)), ["a#2", "a#3", "b", "a#4"]);
        assert_eq!(["a", "a#2"].map(|id| ids.free(id)), ["a#5", "a#2#2"]);
    }

    proptest! {
        #[test]
        fn every_name_has_an_id_of_its_own(bytes in proptest::collection::vec(any::<u8>(), 0..20)) {
            let id = reversible(&bytes);
            prop_assert_eq!(unescape(&id), bytes);
            prop_assert_eq!(id.trim(), id.as_str());
            prop_assert!(!id.chars().any(is_unprintable), "{}", id);
        }
    }
}
