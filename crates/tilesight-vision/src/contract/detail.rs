//! Level of detail of an answer: full, or compact for apps.
//!
//! Input: `full` or `compact`, in queries, forms, flags and JSON. Output: a [`Detail`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tilesight_core::explain::{Lang, Message, display_english};

use crate::texts;

/// Level of detail of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// All data that was detected and computed.
    #[default]
    Full,
    /// The hand, the score and the doubts: what an app shows, in a few kilobytes.
    Compact,
}

/// Error when a text is not a level of detail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct DetailError(String);

display_english!(DetailError);

impl Message for DetailError {
    fn text(&self, lang: Lang) -> String {
        let DetailError(text) = self;
        texts::detail::invalid(lang, text)
    }
}

impl Detail {
    /// Returns the name in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Detail::Full => "full",
            Detail::Compact => "compact",
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Detail {
    type Err = DetailError;

    fn from_str(text: &str) -> Result<Detail, DetailError> {
        let mut all = [Detail::Full, Detail::Compact].into_iter();
        all.find(|detail| detail.name() == text).ok_or_else(|| DetailError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_named_alike_in_text_and_json() {
        for detail in [Detail::Full, Detail::Compact] {
            assert_eq!(detail.to_string().parse(), Ok(detail));
            assert_eq!(serde_json::to_value(detail).ok(), Some(detail.name().into()));
        }
        let error = "Full".parse::<Detail>().expect_err("its letters are small");
        assert!(error.to_string().starts_with("`Full` "), "{error}");
    }
}
