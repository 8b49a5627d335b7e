//! Files and folders that a batch came across and did not read, so that nothing is left out
//! silently.
//!
//! Output: paths and reasons, in the order in which they were found; the list has a bounded length,
//! the rest is counted.

use serde::Serialize;

/// Maximum number of listed paths; the others are only counted.
const MAX_LISTED: usize = 1_000;

/// Reason why a path was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Folder with the results of a batch: its pictures are overlays.
    Results,
    /// Folder of feedback or lessons: its photos are copies.
    Feedback,
    /// Folder with the jobs of a service: its photos are copies.
    Jobs,
    /// Archive in a folder.
    Archive,
    /// Photo that already has a row.
    NamedAgain,
    /// File in a folder that begins like a picture, but has no name of one.
    OtherName,
}

impl SkipReason {
    /// Returns the reason in words.
    const fn words(self) -> &'static str {
        match self {
            SkipReason::Results => "results of a batch: overlays and state are not read as photos",
            SkipReason::Feedback => "feedback or lessons: their copies are not read as photos",
            SkipReason::Jobs => "jobs of a service: their copies are not read as photos",
            SkipReason::Archive => "an archive in a folder: name it as a source to read its photos",
            SkipReason::NamedAgain => "named more than once: it has one row",
            SkipReason::OtherName => {
                "a picture by its content, but not by its name: name it as a source"
            }
        }
    }
}

/// Skipped path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct SkippedPath {
    path: String,
    reason: SkipReason,
}

/// All skipped paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Skipped {
    paths: Vec<SkippedPath>,
    #[serde(skip)]
    unlisted: usize,
}

impl Skipped {
    /// Adds a path; a duplicate is listed once.
    pub fn add(&mut self, path: impl Into<String>, reason: SkipReason) {
        let skipped = SkippedPath { path: path.into(), reason };
        if self.paths.contains(&skipped) {
            return;
        }
        if self.paths.len() < MAX_LISTED {
            self.paths.push(skipped);
        } else {
            self.unlisted += 1;
        }
    }

    /// Returns a line for each of the first `max` paths, and the number of the remaining ones.
    #[must_use]
    pub fn lines(&self, max: usize) -> Vec<String> {
        let listed = self.paths.iter().take(max);
        let mut lines: Vec<String> =
            listed.map(|one| format!("{}: {}", one.path, one.reason.words())).collect();
        let more = self.paths.len().saturating_sub(max) + self.unlisted;
        if more > 0 {
            lines.push(format!("and {more} more"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut_and_counted() {
        let mut skipped = Skipped::default();
        for number in 0..MAX_LISTED + 5 {
            skipped.add(number.to_string(), SkipReason::Archive);
            skipped.add(number.to_string(), SkipReason::Archive);
        }
        let lines = skipped.lines(2);
        assert!(lines[0].starts_with("0: an archive") && lines[2] == "and 1008 more", "{lines:?}");
        let json = serde_json::to_value(&skipped).expect("JSON");
        assert_eq!(json[0], serde_json::json!({ "path": "0", "reason": "archive" }));
        assert_eq!(json.as_array().map(Vec::len), Some(MAX_LISTED));
    }
}
