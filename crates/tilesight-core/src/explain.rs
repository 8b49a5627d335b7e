//! Texts for people that belong to no rule: the languages, and the labels of the printed
//! score.
//!
//! The texts themselves are in the catalogues of `crates/tilesight-texts`. Names and explanations
//! of rules are those of the [`Rule`](crate::rules::Rule)s.

mod accepted;
mod labels;
mod message;
mod messages;
mod range;
mod rivals;
mod verdict;
mod win_context;

pub use crate::lang::{Lang, UnknownLang};
pub(crate) use accepted::Accepted;
pub use labels::Labels;
pub use message::display_english;
pub use message::{Message, Wording, write_all};
pub use verdict::fill;

impl Lang {
    /// Returns the labels of the printed score.
    #[must_use]
    pub const fn labels(self) -> &'static Labels {
        &crate::texts::LABELS[self as usize]
    }
}
