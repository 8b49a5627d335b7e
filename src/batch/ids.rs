//! Ids of rows: each belongs to one row, can be printed, and leads back to its file.
//!
//! Input: paths of files, names of members in archives. Output: a text for each, and who has which.
//! A path's id is the path itself, but for what a text or a cell of a table can't carry: bytes that
//! are not UTF-8, characters that can't be printed, white space at either end. Each of their bytes
//! is written as `\xNN`, and the backslash itself as `\\`. Invariants: two paths never have one id,
//! and [`path_of`] leads from the id back to the path; two rows never have one id, because an id
//! that is taken is refused or gets a number.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tilesight_core::printable::{ESCAPE, path_text, reversible};

/// The name of a member that has none.
const UNNAMED: &str = "unnamed";

/// The id of a file.
#[must_use]
pub fn id_of(path: &Path) -> String {
    path_text(path)
}

/// The file that an id belongs to.
#[must_use]
pub fn path_of(id: &str) -> PathBuf {
    if id.contains(ESCAPE) { path_of_bytes(unescaped(id)) } else { PathBuf::from(id) }
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

/// The name of a member of an archive, as a path that stays below the archive: parts that lead
/// elsewhere (`..`, drives, the root) are left out.
#[must_use]
pub fn member_name(name: &str) -> String {
    let parts: Vec<&str> = name.split(['/', '\\']).filter(|part| stays_below(part)).collect();
    if parts.is_empty() { UNNAMED.to_owned() } else { parts.join("/") }
}

fn stays_below(part: &str) -> bool {
    let is_drive = matches!(part.as_bytes(), [letter, b':'] if letter.is_ascii_alphabetic());
    !matches!(part, "" | "." | ".." | "?") && !is_drive
}

/// The id of a member, below that of its archive.
#[must_use]
pub fn id_of_member(name: &str) -> String {
    reversible(name.as_bytes())
}

fn unescaped(id: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::with_capacity(id.len()), id);
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

/// The first bytes of a SHA-256: among a million ids no two meet.
type Digest = [u8; 16];

/// Standing of an id when a row asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Free until now: the id belongs to the row.
    New,
    /// Taken by a row of the same content.
    Same,
    /// Taken by another row.
    Taken,
}

/// The ids that rows have, by their hashes: memory grows by some fifty bytes a row.
#[derive(Debug, Default)]
pub struct RowIds {
    rows: HashMap<Digest, Digest>,
    /// The number that the last copy of an id got.
    copies: HashMap<Digest, u64>,
}

impl RowIds {
    /// Gives an id to a row of this content, if it is free.
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

    /// Gives an id to a row, with the first number behind it that makes it free: `a.jpg`,
    /// `a.jpg#2`.
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
        // What people write without an escape is taken as it is.
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
            prop_assert_eq!(unescaped(&id), bytes);
            prop_assert_eq!(id.trim(), id.as_str());
            prop_assert!(!id.chars().any(is_unprintable), "{}", id);
        }
    }
}
