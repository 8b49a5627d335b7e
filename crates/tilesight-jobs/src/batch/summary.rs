//! Summary of a batch: how many photos were read with certainty, what they showed, what to check,
//! and what was not read.
//!
//! Input: the rows in order. Output: counts as JSON, and as a text for people. Invariant: every
//! photo is counted exactly once among exact, to be reviewed, without a hand and failed; no value
//! depends on the clock.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::Serialize;
use tilesight_core::plural::format_count;
use tilesight_vision::Status;

use super::group::ReviewGroup;
use super::review::{Review, ReviewItem};
use super::row::{BatchRow, RowReading};
use super::skipped::Skipped;

/// Maximum number of photos that the text names; the JSON lists more.
const MAX_NAMED: usize = 10;

/// Counts of a batch, as they grow.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Number of readings that can be relied on.
    pub exact: u64,
    /// Number of readings that a person should check.
    pub needs_review: u64,
    /// Number of photos that show no hand.
    pub no_hand: u64,
    /// Number of photos that could not be read.
    pub failed: u64,
    /// Number of readings that a person corrected.
    pub corrected: u64,
    /// Files and folders of the sources that were not read.
    skipped: Skipped,
    fans: BTreeMap<String, FanCount>,
    failures: BTreeMap<&'static str, u64>,
    groups: BTreeMap<ReviewGroup, u64>,
    review: Review,
}

/// Number of occurrences of a fan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FanCount {
    /// Code of the fan.
    pub code: String,
    /// Name of the fan in the language of the batch.
    pub name: String,
    /// Number of hands with the fan.
    pub hands: u64,
    /// Number of times that the fan counts in these hands.
    pub count: u64,
}

/// Number of photos that failed for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailureCount {
    /// Type of the problem.
    #[serde(rename = "type")]
    pub uri: &'static str,
    /// Number of photos.
    pub photos: u64,
}

/// Number of photos that are not exact for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupCount {
    /// Reason.
    pub group: ReviewGroup,
    /// Reason in words.
    pub words: &'static str,
    /// Number of photos.
    pub photos: u64,
}

#[derive(Serialize)]
struct SummaryJson<'a> {
    photos: u64,
    exact: u64,
    needs_review: u64,
    no_hand: u64,
    failed: u64,
    fans: Vec<&'a FanCount>,
    failures: Vec<FailureCount>,
    corrected: u64,
    groups: Vec<GroupCount>,
    skipped: &'a Skipped,
    review: Vec<&'a ReviewItem>,
}

impl Summary {
    /// Returns a summary without photos, for sources of which some paths were skipped.
    #[must_use]
    pub fn new(skipped: Skipped) -> Summary {
        Summary { skipped, ..Summary::default() }
    }

    /// Counts a photo; `overlay` is the file of its overlay, if it has one.
    pub fn add(&mut self, id: &str, index: u64, row: &BatchRow, overlay: Option<&str>) {
        match row {
            BatchRow::Failed(problem) => {
                self.failed += 1;
                *self.failures.entry(problem.kind.uri()).or_default() += 1;
            }
            BatchRow::Read(read) => {
                self.corrected += u64::from(read.correction().is_some());
                if let Some(group) = ReviewGroup::from_reading(read) {
                    *self.groups.entry(group).or_default() += 1;
                }
                match read.status {
                    Status::Ok => self.exact += 1,
                    Status::NoHand => self.no_hand += 1,
                    Status::NeedsReview => {
                        self.needs_review += 1;
                        let overlay = overlay.map(str::to_owned);
                        let item = ReviewItem { overlay, ..ReviewItem::new(id, index, read) };
                        self.review.add(item);
                    }
                }
                self.add_fans(read);
            }
        }
    }

    fn add_fans(&mut self, read: &RowReading) {
        for fan in read.score.iter().flat_map(|score| &score.awards) {
            let found = self.fans.entry(fan.code.clone()).or_insert_with(|| FanCount {
                code: fan.code.clone(),
                name: fan.name.clone(),
                hands: 0,
                count: 0,
            });
            found.hands += 1;
            found.count += u64::from(fan.count);
        }
    }

    /// Returns the number of photos that were counted.
    #[must_use]
    pub const fn photos(&self) -> u64 {
        self.exact + self.needs_review + self.no_hand + self.failed
    }

    /// Returns the fans that were found, the most frequent first.
    #[must_use]
    pub fn fans(&self) -> Vec<&FanCount> {
        let mut fans: Vec<&FanCount> = self.fans.values().collect();
        // The sort is stable: fans with the same number of hands stay in the order of their codes.
        fans.sort_by_key(|fan| std::cmp::Reverse(fan.hands));
        fans
    }

    /// Returns the numbers of failed photos by reason.
    #[must_use]
    pub fn failures(&self) -> Vec<FailureCount> {
        self.failures.iter().map(|(&uri, &photos)| FailureCount { uri, photos }).collect()
    }

    /// Returns the numbers of photos that are not exact by reason, in the order of review.
    #[must_use]
    pub fn groups(&self) -> Vec<GroupCount> {
        let counts = self.groups.iter();
        counts.map(|(&group, &photos)| GroupCount { group, words: group.words(), photos }).collect()
    }

    /// Returns the position of each listed photo in the review, by its index; the first position is
    /// 1.
    #[must_use]
    pub fn order(&self) -> HashMap<u64, usize> {
        self.review().iter().zip(1..).map(|(photo, place)| (photo.index, place)).collect()
    }

    /// Returns the photos to check, in the order of review.
    #[must_use]
    pub fn review(&self) -> Vec<&ReviewItem> {
        self.review.ranking()
    }

    /// Writes the summary as JSON.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write_json(&self, out: impl std::io::Write) -> serde_json::Result<()> {
        let json = SummaryJson {
            photos: self.photos(),
            exact: self.exact,
            needs_review: self.needs_review,
            no_hand: self.no_hand,
            failed: self.failed,
            fans: self.fans(),
            failures: self.failures(),
            corrected: self.corrected,
            groups: self.groups(),
            skipped: &self.skipped,
            review: self.review(),
        };
        serde_json::to_writer_pretty(out, &json)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let photos = format_count(self.photos(), "photo", "photos");
        write!(f, "{photos}: {} exact", self.exact)?;
        let rest = [
            (self.needs_review, "to review"),
            (self.no_hand, "without a hand"),
            (self.failed, "failed"),
            (self.corrected, "of them corrected"),
        ];
        for (count, what) in rest.iter().filter(|(count, _)| *count > 0) {
            write!(f, ", {count} {what}")?;
        }
        writeln!(f)?;
        let fans = self.fans();
        if !fans.is_empty() {
            writeln!(f, "\n  Hands  Fan")?;
        }
        for fan in fans {
            let times = if fan.count > fan.hands {
                format!(" ({} times)", fan.count)
            } else {
                String::new()
            };
            writeln!(f, "{:>7}  {}{times}", fan.hands, fan.name)?;
        }
        let groups = self.groups();
        if !groups.is_empty() {
            writeln!(f, "\n Photos  Not exact, alike cases together")?;
        }
        for GroupCount { words, photos, .. } in groups {
            writeln!(f, "{photos:>7}  {words}")?;
        }
        self.fmt_review(f)?;
        for failure in self.failures() {
            let name = failure.uri.rsplit(':').next().unwrap_or(failure.uri);
            writeln!(f, "\n{:>7}  failed: {name}", failure.photos)?;
        }
        let skipped = self.skipped.lines(MAX_NAMED);
        if !skipped.is_empty() {
            writeln!(f, "\n         Not read")?;
        }
        skipped.iter().try_for_each(|line| writeln!(f, "         {line}"))
    }
}

impl Summary {
    fn fmt_review(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let review = self.review();
        if review.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n Change  Look at these first (points that a glance is expected to change)")?;
        for photo in review.iter().take(MAX_NAMED) {
            let question = photo.questions.first().map_or(photo.group.words(), String::as_str);
            writeln!(f, "{:>7.1}  {}: {question}", photo.expected_change, photo.id)?;
            if let Some(overlay) = &photo.overlay {
                writeln!(f, "         {overlay}")?;
            }
        }
        if self.needs_review > MAX_NAMED as u64 {
            writeln!(f, "         and {} more", self.needs_review - MAX_NAMED as u64)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tilesight_core::contract::{Problem, ProblemKind};

    use super::super::row::tests::{score, stored};
    use super::*;

    fn summary() -> Summary {
        let none = json!([]);
        let doubts = json!([{ "kind": "winning_tile", "question": "Which tile won?", "affects_score": true,
            "alternatives": [{ "answer": "1m", "p": 0.5, "total": 12 }, { "answer": "4m", "p": 0.5, "total": 20 }] }]);
        let rows = [
            BatchRow::from_stored(&stored("ok", &none, &score(24, &[("pure_straight", 1)]))),
            BatchRow::from_stored(&stored(
                "ok",
                &none,
                &score(12, &[("short_straight", 2), ("all_chows", 1)]),
            )),
            BatchRow::from_stored(&stored(
                "needs_review",
                &doubts,
                &score(12, &[("all_chows", 1)]),
            )),
            BatchRow::from_stored(&stored("no_hand", &none, &Value::Null)),
            BatchRow::Failed(Problem::new(ProblemKind::UnreadableImage, "broken")),
        ];
        let mut summary = Summary::default();
        for (index, row) in (0..).zip(&rows) {
            let overlay = (index == 2).then_some("overlays/2.jpg");
            summary.add(&format!("{index}.jpg"), index, row, overlay);
        }
        summary
    }

    #[test]
    fn every_photo_is_counted_once() {
        let mut text = Vec::new();
        summary().write_json(&mut text).expect("memory");
        let json: Value = serde_json::from_slice(&text).expect("JSON");
        let counts = ["photos", "exact", "needs_review", "no_hand", "failed"]
            .map(|name| json[name].as_u64());
        assert_eq!(counts, [5, 2, 1, 1, 1].map(Some));
        assert_eq!(
            json["fans"][0],
            json!({ "code": "all_chows", "name": "ALL_CHOWS", "hands": 2, "count": 2 })
        );
        assert_eq!(
            json["failures"],
            json!([{ "type": "urn:tilesight:problem:unreadable-image", "photos": 1 }])
        );
        assert_eq!(json["review"][0]["overlay"], "overlays/2.jpg");
        assert_eq!(summary().order(), [(2, 1)].into());
        assert_eq!(json["groups"][1]["group"], "no_tiles");
        assert_eq!(json["review"][0]["id"], "2.jpg");
        assert_eq!(json["review"][0]["expected_change"], 4.0);
        assert_eq!(json["skipped"], json!([]));
    }

    #[test]
    fn people_read_the_same() {
        let expected = "\
5 photos: 2 exact, 1 to review, 1 without a hand, 1 failed

  Hands  Fan
      2  ALL_CHOWS
      1  PURE_STRAIGHT
      1  SHORT_STRAIGHT (2 times)

 Photos  Not exact, alike cases together
      1  winning tile unknown
      1  no tiles in the picture

 Change  Look at these first (points that a glance is expected to change)
    4.0  2.jpg: Which tile won?
         overlays/2.jpg

      1  failed: unreadable-image
";
        assert_eq!(summary().to_string(), expected);
        let mut more = summary();
        more.skipped.add("club/out", super::super::skipped::SkipReason::Results);
        let text = more.to_string();
        let rest = text.strip_prefix(expected).expect("the same before it");
        assert!(rest.starts_with("\n         Not read\n         club/out: results"), "{rest}");
        assert_eq!(Summary::default().to_string(), "0 photos: 0 exact\n");
    }
}
