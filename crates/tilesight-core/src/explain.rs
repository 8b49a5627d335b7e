//! Texts for people that belong to no rule: the five languages, and the labels of the printed
//! score.
//!
//! This module contains data only: a set of labels for each [`Lang`]. Names and explanations of
//! rules are those of the [`Rule`](crate::rules::Rule)s themselves.

mod labels;
mod message;
mod messages;
mod range;
mod rivals;
mod verdict;
mod win_context;

pub use crate::lang::{Lang, UnknownLang};
pub use labels::Labels;
#[doc(hidden)]
pub use message::check;
pub use message::said;
pub use message::{Message, Wording};
pub use verdict::fill;

impl Lang {
    /// Returns the labels of the printed score.
    #[must_use]
    pub const fn labels(self) -> &'static Labels {
        match self {
            Lang::En => &labels::EN,
            Lang::De => &labels::DE,
            Lang::Da => &labels::DA,
            Lang::Sv => &labels::SV,
            Lang::Zh => &labels::ZH,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_carry_something_have_a_place_for_it() {
        for lang in Lang::ALL {
            let labels = lang.labels();
            let carrying = [labels.without_flowers, labels.minimum_met, labels.implied];
            let more = [
                labels.same_fan_twice,
                labels.account_once,
                labels.counts_alone,
                labels.knitted_tile,
                labels.completes,
                labels.other,
            ];
            let told = [
                labels.minimum_points,
                labels.doublings_short,
                labels.minimum_missed,
                labels.limit_is_near,
                labels.enough,
                labels.worth_less,
                labels.without,
                labels.instead,
            ];
            let counted =
                [labels.points_told, labels.doublings_told, labels.limits_short, labels.missing];
            let all = carrying.iter().chain(&more).chain(&told);
            for label in all.chain(counted.iter().flatten()) {
                assert_eq!(label.matches("{}").count(), 1, "{lang}: {label}");
            }
        }
    }
}
