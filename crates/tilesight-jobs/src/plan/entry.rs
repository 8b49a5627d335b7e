//! A photo of a batch as its sources name it: a line of the plan.
//!
//! Invariant: an entry is written and read back unchanged, so that an interrupted batch resumes
//! with the list it began with; a photo whose file has changed since is a different entry.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tilesight_core::contract::Problem;
use tilesight_vision::contract::TableRequest;

/// A photo, or the reason why a source has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanEntry {
    /// Id of its row.
    pub id: String,
    /// The photo to read, or why it can't be read.
    #[serde(flatten)]
    pub work: EntryWork,
}

/// The photo of an entry, or its problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryWork {
    /// A photo to read, with the hands beside it.
    Photo(TableRequest<PhotoSource>),
    /// A photo that can't be read, with the reason.
    Refused(Problem),
}

/// Location of the bytes of a photo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhotoSource {
    /// Path of the photo, or of the archive that contains it.
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    pub file: PathBuf,
    /// Index of the photo in the archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<usize>,
    /// Version of the file.
    pub(crate) stamp: Stamp,
}

/// Size and modification time of a file, from which, as in `make` and `rsync`, a changed file is
/// recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp(u64, u64);

impl Stamp {
    pub(super) fn from_metadata(metadata: &Metadata) -> Stamp {
        let since = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        // 64 bits of nanoseconds last until 2554. On a file system without times only the size
        // counts.
        let nanoseconds = since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0));
        Stamp(metadata.len(), nanoseconds)
    }
}

impl PlanEntry {
    pub(super) fn from_problem(id: impl Into<String>, problem: Problem) -> PlanEntry {
        PlanEntry { id: id.into(), work: EntryWork::Refused(problem) }
    }
}

/// A path as text, or as its bytes if those are not valid text: cameras and old archives write such
/// names.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PathText {
    Text(String),
    Other(OsString),
}

fn write_path<S: Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    let path = path.as_os_str().to_owned().into_string();
    path.map_or_else(PathText::Other, PathText::Text).serialize(serializer)
}

fn read_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Ok(match PathText::deserialize(deserializer)? {
        PathText::Text(text) => text.into(),
        PathText::Other(path) => path.into(),
    })
}

#[cfg(test)]
mod tests {
    use tilesight_core::context::ContextSetup;
    use tilesight_core::contract::{
        ContextDto, HandField, OtherInRequest, PhotoFields, ProblemKind, Scoring,
    };
    use tilesight_core::rules::RulesetId;
    use tilesight_core::tile::Wind;

    use super::*;

    fn photo(file: impl Into<PathBuf>, member: Option<usize>) -> PlanEntry {
        let context =
            ContextDto::from(ContextSetup { last_of_kind: Some(true), ..ContextSetup::default() });
        let stamp = Stamp(7, u64::MAX);
        let scoring = Scoring { context, rulesets: Some(vec![RulesetId::MCR_MIL]) };
        let mut fields = PhotoFields { scoring, ..PhotoFields::default() };
        fields.set_text("focus", "412,300").expect("a point");
        fields.set_text("region", "1,2 300,412").expect("a box");
        let source = |file| PhotoSource { file, member, stamp };
        let beside = source("s.jpg".into());
        let others = vec![OtherInRequest::photo(HandField::Part(Wind::South), Wind::South, beside)];
        let photo = TableRequest::from_photo(source(file.into()));
        let work = EntryWork::Photo(TableRequest { fields, others, ..photo });
        PlanEntry { id: "a \"b\"\n".to_owned(), work }
    }

    #[test]
    fn entries_are_read_back_as_they_were() {
        let mut entries = vec![
            photo("club/a.jpg", None),
            photo("club.zip", Some(12)),
            PlanEntry::from_problem("x", Problem::new(ProblemKind::MalformedRequest, "gone")),
        ];
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStringExt;
            entries.push(photo(OsString::from_vec(b"caf\xe9.jpg".to_vec()), None));
        }
        for entry in entries {
            let line = serde_json::to_string(&entry).expect("JSON");
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(
                serde_json::from_str::<PlanEntry>(&line).expect("an entry"),
                entry,
                "{line}"
            );
        }
    }
}
