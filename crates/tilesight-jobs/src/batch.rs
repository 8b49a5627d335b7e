//! Batches of photos: lists, tables and archives as input, rows as output.
//!
//! Input: manifests and ZIP archives that name photos, tables and patterns that give their win
//! contexts; later the outcome of each photo as the workers store it. Output: a line of JSON and a
//! row of CSV per photo, and a summary of all. The
//! command `batch` and the jobs over HTTP share this module, so that both produce the same bytes.
//! Invariant: this module does not know where photos come from or who reads them, and its output
//! depends only on the outcomes and their order, not on a clock or a machine.

mod archive;
mod context_table;
mod group;
mod ids;
mod manifest;
mod name_pattern;
mod pictures;
pub mod result_files;
mod review;
mod row;
mod skipped;
mod summary;
mod table;

pub use archive::{Archive, ArchiveError, Member, is_archive};
pub use context_table::{ContextTable, ContextTableError, normalize_path};
pub use group::ReviewGroup;
pub use ids::{Claim, RowIds, id_of, id_of_member, member_name, path_of};
pub use manifest::ManifestLine;
pub use name_pattern::{NamePart, NamePattern, PatternError};
pub use pictures::{is_hidden, is_picture, is_zip};
pub use review::ReviewItem;
pub use row::{BatchRow, RowAward, RowCorrection, RowDoubt, RowReading, RowScore};
pub use skipped::{SkipReason, Skipped};
pub use summary::{FailureCount, FanCount, GroupCount, Summary};
pub use table::{DECIMALS, Table, TableBookError, write_ordered, write_workbook};
