//! A disk after a sequence of operations, and its possible contents after a power cut.
//!
//! The model is as bad as POSIX allows: data written since a file's last sync may be on the disk or
//! not, in any choice of its sectors; a name that was created or removed since its folder's last
//! sync may be on the disk or not, in the order of the names. Only a sector of 512 bytes is never
//! torn.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::record::Op;

const SECTOR: usize = 512;

/// Certain and possible contents of the disk.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    /// The file that an inode number currently stands for: numbers are reused.
    files: BTreeMap<u64, usize>,
    contents: Vec<Content>,
    names: BTreeMap<PathBuf, Node>,
    /// Names that were created or removed since, in order.
    unsynced: Vec<(PathBuf, Option<Node>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
}

#[derive(Debug, Default)]
struct Content {
    synced: Vec<u8>,
    unsynced: Vec<Change>,
}

#[derive(Debug)]
enum Change {
    Write { at: usize, data: Vec<u8> },
    Truncate(usize),
}

/// Unsynced data that a power cut keeps.
#[derive(Debug, Clone)]
pub(crate) enum Keeps {
    /// No unsynced data.
    Nothing,
    /// All data, as when only the process dies.
    Everything,
    /// A random choice, sector by sector.
    Some(fastrand::Rng),
}

impl Keeps {
    fn keeps(&mut self) -> bool {
        match self {
            Keeps::Nothing => false,
            Keeps::Everything => true,
            Keeps::Some(random) => random.bool(),
        }
    }
}

impl Disk {
    /// Replays an operation.
    pub(crate) fn apply(&mut self, op: &Op) {
        match op {
            Op::Created { path, inode } => {
                self.files.insert(*inode, self.contents.len());
                self.unsynced.push((path.clone(), Some(Node::File(self.contents.len()))));
                self.contents.push(Content::default());
            }
            Op::Linked { path, inode } => {
                let file = self.files.get(inode).expect("a file that was created here");
                self.unsynced.push((path.clone(), Some(Node::File(*file))));
            }
            Op::MadeFolder { path } => self.unsynced.push((path.clone(), Some(Node::Folder))),
            Op::Removed { path } => self.unsynced.push((path.clone(), None)),
            Op::Written { inode, at, data } => {
                let change = Change::Write { at: *at, data: data.clone() };
                self.content(*inode).unsynced.push(change);
            }
            Op::Truncated { inode, length } => {
                self.content(*inode).unsynced.push(Change::Truncate(*length));
            }
            Op::Synced { inode } => {
                let content = self.content(*inode);
                for change in std::mem::take(&mut content.unsynced) {
                    change.apply(&mut content.synced, &mut Keeps::Everything);
                }
            }
            Op::SyncedFolder { path } => {
                let (synced, rest) = std::mem::take(&mut self.unsynced)
                    .into_iter()
                    .partition(|(name, _)| name.parent() == Some(path));
                self.unsynced = rest;
                set(&mut self.names, synced);
            }
            Op::Acknowledged(_) => {}
        }
    }

    fn content(&mut self, inode: u64) -> &mut Content {
        let file = self.files.get(&inode).expect("the file was created under the recorder's eyes");
        &mut self.contents[*file]
    }

    /// Returns the files that exist after a power cut now: paths with their contents.
    pub(crate) fn after_cut(&self, keeps: &mut Keeps) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut names = self.names.clone();
        // A folder's changes reach the disk in their order: a prefix of them is kept.
        let kept = match keeps {
            Keeps::Nothing => 0,
            Keeps::Everything => self.unsynced.len(),
            Keeps::Some(random) => random.usize(0..=self.unsynced.len()),
        };
        set(&mut names, self.unsynced[..kept].iter().cloned());
        names
            .into_iter()
            .map(|(path, node)| match node {
                Node::Folder => (path, None),
                Node::File(file) => (path, Some(self.contents[file].after_cut(keeps))),
            })
            .collect()
    }
}

fn set(
    names: &mut BTreeMap<PathBuf, Node>,
    changes: impl IntoIterator<Item = (PathBuf, Option<Node>)>,
) {
    for (path, node) in changes {
        match node {
            Some(node) => names.insert(path, node),
            None => names.remove(&path),
        };
    }
}

impl Content {
    fn after_cut(&self, keeps: &mut Keeps) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        for change in &self.unsynced {
            change.apply(&mut bytes, keeps);
        }
        bytes
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>, keeps: &mut Keeps) {
        match self {
            Change::Truncate(length) => {
                if keeps.keeps() {
                    bytes.resize(*length, 0);
                }
            }
            Change::Write { at, data } => {
                let mut from = 0;
                while from < data.len() {
                    let sector_ends = SECTOR - (at + from) % SECTOR;
                    let part = &data[from..(from + sector_ends).min(data.len())];
                    if keeps.keeps() {
                        let end = at + from + part.len();
                        if bytes.len() < end {
                            bytes.resize(end, 0);
                        }
                        bytes[at + from..end].copy_from_slice(part);
                    }
                    from += part.len();
                }
            }
        }
    }
}

/// Writes the files of a state to a new folder that stands for `root`.
pub(crate) fn lay_out(state: &BTreeMap<PathBuf, Option<Vec<u8>>>, root: &Path, folder: &Path) {
    fs::create_dir(folder).expect("a new folder");
    for (path, content) in state.iter().filter(|(path, _)| *path != root) {
        let path = folder.join(path.strip_prefix(root).expect("it is below the root"));
        match content {
            None => fs::create_dir(&path).expect("folders come before what is in them"),
            Some(bytes) => {
                // The name may have reached the disk without the folder that contains it.
                if path.parent().is_some_and(Path::is_dir) {
                    fs::write(&path, bytes).expect("written");
                }
            }
        }
    }
}
