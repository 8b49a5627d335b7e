//! Corrections of readings by people, one photo at a time.
//!
//! Everything that a front end does with a correction is here: the [`Correction`] itself, its
//! effect on an outcome ([`Correction::apply`]), the table `corrections.csv` beside the results of
//! a batch ([`Corrections`]), the documents of a job ([`JobCorrections`]), the corrections that a
//! run of a batch applies ([`BatchCorrections`]), and the merge of several reviewers' tables
//! ([`merge()`]).
//! Invariants: correcting reads no photo; the stored outcome is kept completely, so that
//! withdrawing a correction restores it; of several corrections of a photo the last one counts.

mod apply;
mod batch;
mod cells;
mod correction;
mod merge;
mod stored;
mod table;

pub use self::apply::{PhotoQuestion, stored_outcome};
pub use self::batch::BatchCorrections;
pub use self::cells::{cell_value, fault_in_line};
pub use self::correction::Correction;
pub use self::merge::{MergeResult, merge};
pub use self::stored::{JobCorrections, sweep};
pub use self::table::{CorrectionRow, Corrections, CorrectionsError};

/// Name of the table of corrections in the folder of a batch's results.
pub const FILE_NAME: &str = "corrections.csv";
