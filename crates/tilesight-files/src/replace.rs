//! Replacement of files as a whole.
//!
//! Input: a path and its new content. Output: the file with this content, or unchanged.
//! Invariants: the content is on the disk before it takes the place of the old one, so that a
//! process killed during the write loses nothing; no link is followed: if the path is one, the link
//! is replaced. A caller that wants to change its target [canonicalizes](Path::canonicalize) first.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::private;

/// Replaces a file, or creates it. Its permissions are those of any new file.
///
/// # Errors
/// Errors of the disk; an existing file is then unchanged.
pub fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    replace_with(file, content, None)
}

/// Replaces an existing file. Its owner and its permissions stay, and nobody else can read the new
/// content meanwhile.
///
/// # Errors
/// Errors of the disk, and [`io::ErrorKind::PermissionDenied`] when this user may not make files of
/// that owner; the file is then unchanged.
pub fn replace_keeping_access(file: &Path, content: &[u8]) -> io::Result<()> {
    let data = fs::metadata(file)?;
    replace_with(file, content, Some(&data))
}

fn replace_with(file: &Path, content: &[u8], access: Option<&Metadata>) -> io::Result<()> {
    let unfinished = unfinished(file);
    // An earlier run may have left one. If it is a link, its target stays.
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let replaced = write(&unfinished, content, access).and_then(|()| fs::rename(&unfinished, file));
    if replaced.is_err() {
        // Its error matters less than the first one.
        let _ = fs::remove_file(&unfinished);
    }
    replaced
}

/// Writes the content into a new file beside the one to be replaced: only within a folder is a file
/// renamed at once.
fn write(unfinished: &Path, content: &[u8], access: Option<&Metadata>) -> io::Result<()> {
    let mut out = match access {
        Some(_) => private::options().write(true).create_new(true).open(unfinished)?,
        None => File::create_new(unfinished)?,
    };
    out.write_all(content)?;
    if let Some(access) = access {
        give_access(&out, access)?;
    }
    out.sync_all()
}

/// Gives a file the owner and the permissions of another one.
fn give_access(out: &File, access: &Metadata) -> io::Result<()> {
    out.set_permissions(access.permissions())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        fchown(out, Some(access.uid()), Some(access.gid()))?;
    }
    Ok(())
}

/// Returns the path of the content while it is written.
fn unfinished(file: &Path) -> PathBuf {
    let mut path = file.to_owned().into_os_string();
    path.push(format!(".{}.unfinished", std::process::id()));
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("corrections.csv");
        fs::write(unfinished(&file), "of an earlier run").expect("a file");
        replace(&file, b"one").expect("it is created");
        replace(&file, b"two").expect("it is replaced");
        assert_eq!(fs::read(&file).expect("a file"), b"two");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        replace_keeping_access(&folder.path().join("missing"), b"").expect_err("there is none");
        fs::create_dir(folder.path().join("folder")).expect("a folder");
        replace(&folder.path().join("folder"), b"").expect_err("it is a folder");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing is left");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("target"), "old").expect("a file");
        symlink(at("target"), at("link")).expect("a link");
        symlink(at("target"), unfinished(&at("link"))).expect("a link");
        replace(&at("link"), b"new").expect("it is replaced");
        assert_eq!(fs::read(at("target")).expect("a file"), b"old");
        assert!(at("link").symlink_metadata().expect("a file").is_file());
        fs::set_permissions(at("link"), fs::Permissions::from_mode(0o640)).expect("it is ours");
        replace_keeping_access(&at("link"), b"newer").expect("it is replaced");
        let mode = at("link").metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}
