//! Faults that the program's own types find while a parser reads them, in five languages.
//!
//! A parser keeps only the English text of such a fault. Input: that text. Output: the message in
//! all languages. Invariant: the English text is unchanged; a text that comes from none of the
//! program's types is not found.

use std::str::FromStr;

use crate::context::{
    CompletedSet, Count, Declaration, DeclaredError, DeclaredSet, IndicatorsError,
};
use crate::contract::fault::RequestFault;
use crate::contract::{FocusDto, RegionDto, RegionError, SetName};
use crate::explain::{Message, Wording};
use crate::rules::RulesetId;
use crate::tile::{Bonus, Face, Tile};

/// Returns the message that has this English text.
pub(super) fn own_words(text: &str) -> Option<Wording> {
    let faults: [&dyn Message; 6] = [
        &IndicatorsError::TooMany,
        &RequestFault::NotAPlayer,
        &RequestFault::NotAPoint,
        &RequestFault::NotPoints,
        &RequestFault::NotPhotos,
        &RequestFault::NotATile,
    ];
    faults
        .into_iter()
        .find(|fault| fault.to_string() == text)
        .map(Wording::from_message)
        .or_else(|| find_by_text::<RulesetId>(text))
        .or_else(|| find_by_text::<SetName>(text))
        .or_else(|| find_by_text::<CompletedSet>(text))
        .or_else(|| find_by_text::<DeclaredSet>(text))
        .or_else(|| find_by_text::<Tile>(text))
        .or_else(|| find_by_text::<Bonus>(text))
        .or_else(|| find_by_text::<Face>(text))
        .or_else(|| find_by_text::<Count>(text))
        .or_else(|| declared_twice(text))
        .or_else(|| find_position_error(text))
}

/// Returns the message about a text in backticks that is not a `T`, by parsing that text again.
fn find_by_text<T: FromStr<Err: Message>>(text: &str) -> Option<Wording> {
    let (_, quoted) = text.split_once('`')?;
    let mut ends = quoted.match_indices('`');
    ends.find_map(|(end, _)| {
        let error = quoted[..end].parse::<T>().err()?;
        (error.to_string() == text).then(|| Wording::from_message(&error))
    })
}

fn declared_twice(text: &str) -> Option<Wording> {
    let mut twice = Declaration::ALL.into_iter().map(DeclaredError::Twice);
    twice.find(|error| error.to_string() == text).map(|error| Wording::from_message(&error))
}

fn find_position_error(text: &str) -> Option<Wording> {
    let corners = text.split(' ').next().and_then(|corners| corners.parse().ok());
    let mut errors = [Some(RegionError::Flat), corners.map(RegionError::Corners)]
        .into_iter()
        .flatten()
        .filter(|error| error.to_string() == text);
    let found = errors.next().map(|error| Wording::from_message(&error));
    found.or_else(|| find_by_text::<FocusDto>(text)).or_else(|| find_by_text::<RegionDto>(text))
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::context::Indicators;
    use crate::evening::Player;
    use crate::explain::Lang;

    /// Returns the parser's message for a value that is not a `T`.
    #[track_caller]
    fn text_of<T: DeserializeOwned>(json: &str) -> String {
        let error = serde_json::from_str::<T>(json).err().expect(json);
        let position = format!(" at line {} column {}", error.line(), error.column());
        error.to_string().replace(&position, "")
    }

    #[test]
    fn refusals_of_types_are_found_in_all_languages() {
        let mut texts = vec![
            text_of::<Player>("4"),
            text_of::<RulesetId>("\"Our `Club`\""),
            text_of::<SetName>("\" Home\""),
            text_of::<CompletedSet>("\"EW\""),
            text_of::<DeclaredSet>("[\"hell\"]"),
            text_of::<DeclaredSet>("\"heaven,heaven\""),
            text_of::<Tile>("\"5x\""),
            text_of::<Bonus>("\"f5\""),
            text_of::<Face>("\"front\""),
            text_of::<Indicators>("\"5p,x\""),
            text_of::<Indicators>("[\"10m\"]"),
            text_of::<Indicators>("\"1m,2m,3m,4m,5m,6m\""),
            text_of::<Count>("100"),
            text_of::<Count>("-1"),
            text_of::<Count>("2.5"),
            text_of::<Count>("\"two\""),
        ];
        texts.extend([
            text_of::<FocusDto>("7"),
            text_of::<FocusDto>("\"here\""),
            text_of::<RegionDto>("{}"),
            text_of::<RegionDto>("\"all\""),
            text_of::<RegionDto>("\"1,1\""),
            text_of::<RegionDto>("\"1,1 2,2 3,3\""),
        ]);
        for text in texts {
            let found = own_words(&text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(found.text(Lang::En), text);
            assert_ne!(found.text(Lang::De), text);
        }
        assert_eq!(own_words("something else"), None);
        assert_eq!(own_words("`mcr-wmo` is something else"), None);
    }
}
