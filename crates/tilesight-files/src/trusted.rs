//! Files that the program opens with its own rights because a setting names them: keys,
//! certificates, configuration, rule profiles, and the key that the program creates itself.
//!
//! Input: a path. Output: the content, or a [`TrustError`] that states the path, the reason and the
//! remedy. Invariants: such a file is a regular file of root or of the user that runs the program,
//! and no other user can change it; the file that is checked is the one that is read; a file that
//! another user put in its place is neither read nor changed.
//!
//! A named file may be a link, because containers provide secrets that way. In that case, every
//! link on the path must have been made by root or by the user that runs the program, and no folder
//! on the path may be writable by everybody, unless it is sticky like /tmp, where users can't
//! replace each other's files. A group may write if it is root's or the private group of the owner,
//! which has the owner's number. This applies to Unix only; elsewhere files have the permissions of
//! their folder, and only the kind and the size are checked.

use std::io;
use std::path::{Path, PathBuf};

/// Maximum size of such a file in bytes. A bundle of all the world's authorities has a quarter of a
/// megabyte, and a thousand keys have a tenth of one.
const MAX_BYTES: usize = 8 << 20;

/// Error when a file is not used. The operator can correct all of these.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The system can't read the file.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// The file belongs to another user.
    #[error(
        "{} belongs to another user (number {owner}): only files of root and of the user that runs \
         tilesight are used; run tilesight as its owner, or `chown {user} {}` if no other user's \
         tilesight reads it",
        path.display(),
        path.display()
    )]
    Owner {
        /// Path of the file.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
        /// Number of the user that runs the program.
        user: u32,
    },
    /// The path contains a link that another user made.
    #[error(
        "{} is a link that another user made (number {owner}): remove it, or name the file itself",
        path.display()
    )]
    Link {
        /// Path of the link.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
    },
    /// The path is a link, but the program creates the file itself.
    #[error("{} is a link, but tilesight makes a file there: remove the link", .0.display())]
    IsLink(PathBuf),
    /// Other users can change the file, or the contents of the folder.
    #[error("{} can be changed by {who}: run `chmod {change} {}`", path.display(), path.display())]
    Writable {
        /// Path of the file or folder.
        path: PathBuf,
        /// Description of the users that can change it.
        who: &'static str,
        /// Argument of `chmod` that takes the right from them.
        change: &'static str,
    },
    /// The path is a device, a named pipe or a folder.
    #[error("{} is no regular file: name a file", .0.display())]
    NotRegular(PathBuf),
}

impl TrustError {
    /// Returns whether the file does not exist.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, TrustError::Unreadable(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl From<TrustError> for io::Error {
    fn from(error: TrustError) -> io::Error {
        match error {
            TrustError::Unreadable(error) => error,
            error => io::Error::new(io::ErrorKind::PermissionDenied, error),
        }
    }
}

/// Reads a file that a setting names.
///
/// # Errors
/// [`TrustError`].
pub fn read(path: &Path) -> Result<Vec<u8>, TrustError> {
    let file = system::open_named(path)?;
    Ok(crate::input::read_stream(file, MAX_BYTES).map_err(io::Error::from)?)
}

/// Reads a file that a setting names, as text.
///
/// # Errors
/// [`TrustError`].
pub fn read_to_string(path: &Path) -> Result<String, TrustError> {
    let text = String::from_utf8(read(path)?);
    Ok(text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))?)
}

/// Checks a file that a library opens.
///
/// # Errors
/// [`TrustError`].
pub fn check(path: &Path) -> Result<(), TrustError> {
    system::open_named(path).map(drop)
}

pub use system::check_links;
pub use system::{close_to_others, open_own};

#[cfg(unix)]
mod system {
    use std::collections::VecDeque;
    use std::ffi::OsString;
    use std::fs::{self, File, Metadata, OpenOptions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
    use std::path::{Component, Path, PathBuf};

    use rustix::fs::OFlags;
    use rustix::process::geteuid;

    use super::TrustError;

    const BY_GROUP: u32 = 0o020;
    const BY_OTHERS: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    const ROOT: u32 = 0;
    /// Maximum number of links on the path to a file, as in Linux.
    const MAX_LINKS: usize = 40;

    /// Opens a file that a setting names, by a path that no other user controls.
    pub(super) fn open_named(path: &Path) -> Result<File, TrustError> {
        let path = resolve(path, true)?;
        let (file, data) = open(&path)?;
        check_owner(&path, &data)?;
        check_writers(&path, &data)?;
        Ok(file)
    }

    /// Opens a file that the program creates itself, which must not be a link or belong to another
    /// user.
    pub fn open_own(path: &Path) -> Result<File, TrustError> {
        let (file, data) = open(path)?;
        check_owner(path, &data)?;
        Ok(file)
    }

    /// Removes the access of everybody but the owner from an open file. Returns whether others had
    /// access.
    pub fn close_to_others(file: &File) -> io::Result<bool> {
        use std::os::unix::fs::PermissionsExt as _;
        const OF_OTHERS: u32 = 0o077;
        let mode = file.metadata()?.mode() & 0o7777;
        if mode & OF_OTHERS == 0 {
            return Ok(false);
        }
        file.set_permissions(fs::Permissions::from_mode(mode & !OF_OTHERS))?;
        Ok(true)
    }

    /// Checks that the path of a folder contains no link of another user. A missing folder is
    /// accepted.
    pub fn check_links(folder: &Path) -> Result<(), TrustError> {
        match resolve(folder, false) {
            Err(error) if !error.is_missing() => Err(error),
            _ => Ok(()),
        }
    }

    /// Opens a regular file that is not a link, without waiting for the other end of a pipe.
    fn open(path: &Path) -> Result<(File, Metadata), TrustError> {
        let data = fs::symlink_metadata(path)?;
        if data.is_symlink() {
            return Err(TrustError::IsLink(path.to_owned()));
        }
        if !data.is_file() {
            return Err(TrustError::NotRegular(path.to_owned()));
        }
        let bits = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
        let flags = i32::try_from(bits).expect("flags of a system call are an int");
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
        // This checks the file that was opened, even if the path has been replaced since.
        let data = file.metadata()?;
        if !data.is_file() {
            return Err(TrustError::NotRegular(path.to_owned()));
        }
        Ok((file, data))
    }

    /// Resolves the links of a path, if all were made by users that the program trusts. `strictly`
    /// also checks the folders on the path.
    fn resolve(path: &Path, strictly: bool) -> Result<PathBuf, TrustError> {
        let mut resolved = PathBuf::new();
        let mut links = 0;
        let mut rest = parts(&std::path::absolute(path)?);
        while let Some(part) = rest.pop_front() {
            match Path::new(&part).components().next() {
                Some(Component::RootDir) => resolved = PathBuf::from("/"),
                Some(Component::ParentDir) => {
                    resolved.pop();
                }
                Some(Component::Normal(name)) => {
                    if strictly {
                        check_folder(&resolved)?;
                    }
                    let next = resolved.join(name);
                    let data = fs::symlink_metadata(&next)?;
                    if data.is_symlink() {
                        links += 1;
                        check_link(&next, &data, links)?;
                        for part in parts(&fs::read_link(&next)?).into_iter().rev() {
                            rest.push_front(part);
                        }
                    } else {
                        resolved = next;
                    }
                }
                _ => {}
            }
        }
        Ok(resolved)
    }

    fn parts(path: &Path) -> VecDeque<OsString> {
        path.components().map(|part| part.as_os_str().to_owned()).collect()
    }

    fn check_link(path: &Path, data: &Metadata, links: usize) -> Result<(), TrustError> {
        if links > MAX_LINKS {
            return Err(io::Error::other("too many links lead to each other").into());
        }
        if is_trusted(data.uid()) {
            return Ok(());
        }
        Err(TrustError::Link { path: path.to_owned(), owner: data.uid() })
    }

    fn check_folder(path: &Path) -> Result<(), TrustError> {
        let mode = fs::metadata(path)?.mode();
        if mode & BY_OTHERS == 0 || mode & STICKY != 0 {
            return Ok(());
        }
        Err(open_to_everybody(path))
    }

    fn check_owner(path: &Path, data: &Metadata) -> Result<(), TrustError> {
        if is_trusted(data.uid()) {
            return Ok(());
        }
        let owner = data.uid();
        let user = geteuid().as_raw();
        Err(TrustError::Owner { path: path.to_owned(), owner, user })
    }

    fn check_writers(path: &Path, data: &Metadata) -> Result<(), TrustError> {
        if data.mode() & BY_OTHERS != 0 {
            return Err(open_to_everybody(path));
        }
        let is_private = data.gid() == ROOT || data.gid() == data.uid();
        if data.mode() & BY_GROUP != 0 && !is_private {
            return Err(TrustError::Writable {
                path: path.to_owned(),
                who: "all users of its group",
                change: "g-w",
            });
        }
        Ok(())
    }

    fn open_to_everybody(path: &Path) -> TrustError {
        TrustError::Writable {
            path: path.to_owned(),
            who: "every user of this machine",
            change: "o-w",
        }
    }

    fn is_trusted(owner: u32) -> bool {
        owner == ROOT || owner == geteuid().as_raw()
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use super::TrustError;
    use crate::input;

    pub(super) fn open_named(path: &Path) -> Result<File, TrustError> {
        let opened = crate::input::open(path).map_err(io::Error::from)?;
        Ok(opened.0)
    }

    pub fn open_own(path: &Path) -> Result<File, TrustError> {
        open_named(path)
    }

    pub fn close_to_others(_file: &File) -> io::Result<bool> {
        Ok(false)
    }

    pub fn check_links(_folder: &Path) -> Result<(), TrustError> {
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
    }

    #[test]
    fn a_file_that_others_can_change_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys");
        fs::write(&file, "content").expect("a file");
        for open in [0o600, 0o644, 0o444] {
            mode(&file, open);
            assert_eq!(read_to_string(&file).expect("it is safe"), "content", "{open:o}");
        }
        mode(&file, 0o646);
        let refused = read(&file).expect_err("it is open").to_string();
        assert!(refused.contains("chmod o-w") && refused.contains("keys"), "{refused}");
        mode(&file, 0o600);
        mode(folder.path(), 0o777);
        let refused = read(&file).expect_err("its folder is open").to_string();
        assert!(refused.contains("chmod o-w"), "{refused}");
        mode(folder.path(), 0o1777);
        assert!(read(&file).is_ok(), "a sticky folder is safe");
    }

    #[test]
    fn named_files_may_be_our_own_links_and_own_files_may_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        // The layout is that of a secret mounted by Kubernetes.
        fs::create_dir(at("..2026")).expect("a folder");
        fs::write(at("..2026/keys"), "content").expect("a file");
        symlink("..2026", at("..data")).expect("a link");
        symlink("..data/keys", at("keys")).expect("a link");
        mode(folder.path(), 0o1777);
        assert_eq!(read_to_string(&at("keys")).expect("it is safe"), "content");
        assert!(matches!(open_own(&at("keys")), Err(TrustError::IsLink(_))));
        assert!(open_own(&at("..2026/keys")).is_ok());
        symlink("circle", at("circle")).expect("a link");
        let refused = read(&at("circle")).expect_err("it leads to itself").to_string();
        assert!(refused.contains("links"), "{refused}");
        assert!(read(&at("missing")).expect_err("none").is_missing());
    }

    #[test]
    fn only_regular_files_are_read() {
        for device in ["/dev/zero", "/dev/null", "/"] {
            let refused = read(Path::new(device)).expect_err("it is no file");
            assert!(matches!(refused, TrustError::NotRegular(_)), "{refused}");
        }
    }
}
