//! Folders in which this program keeps pictures that are not photos.
//!
//! Input: a folder. Output: the folder that it belongs to, and why its pictures are not read:
//! overlays and waiting photos of a batch, copies in feedback and lessons, photos of a service's
//! jobs. Invariant: only folders that the program wrote are recognized, by the files that it keeps
//! beside its pictures.

use std::ffi::OsStr;
use std::path::Path;

use super::folder::{OVERLAYS, STATE, has_results};
use crate::EmbeddedStore;
use crate::batch::SkipReason;

/// Name of the file beside the photo of a feedback record, and the length of its folder's name.
const RECORD: &str = "feedback.json";
const RECORD_ID: usize = 32;

/// Returns the folder that a folder of pictures made by this program belongs to, and what it is.
pub(super) fn find_own_pictures(folder: &Path) -> Option<(&Path, SkipReason)> {
    let name = folder.file_name()?;
    let parent = folder.parent()?;
    if (name == OVERLAYS || name == STATE) && has_results(parent) {
        return Some((printable(parent), SkipReason::Results));
    }
    if EmbeddedStore::is_photo_folder(folder) {
        return Some((printable(parent), SkipReason::Jobs));
    }
    let is_record = is_id(name) && folder.join(RECORD).is_file();
    is_record.then(|| (printable(parent), SkipReason::Feedback))
}

/// Returns a path to print; an empty path becomes `.`.
fn printable(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

fn is_id(name: &OsStr) -> bool {
    name.len() == RECORD_ID && name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit)
}
