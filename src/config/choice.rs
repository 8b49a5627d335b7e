//! Parser of flags whose value is one of a few names.

use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Returns a parser of the names of `all`; its errors list them.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&one| name(one))).try_map(move |text| {
        all.iter().copied().find(|&one| name(one) == text).ok_or("unknown value")
    })
}
