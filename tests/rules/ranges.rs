//! The range of totals before the win context is given, checked against the total after it.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tilesight_core::context::{Context, ContextField, WinSource};
use tilesight_core::hand::Hand;
use tilesight_core::rules::{OpenHand, Profile, TotalRange};

/// Returns the range of a hand whose seat, prevalent wind and win are not given; fails if a total
/// with these given lies outside it. Rare wins, such as robbing a kong, are given and not assumed:
/// ranges leave them out.
pub(crate) fn checked_range(
    profile: &Profile,
    (hand, context): (&Hand, &Context),
    total: u32,
) -> Result<Option<TotalRange>, TestCaseError> {
    let assumed = [ContextField::Seat, ContextField::Prevalent, ContextField::Win];
    let range = TotalRange::for_hand(profile, &OpenHand::new(hand, context, &assumed));
    if let Some(range) = range.as_ref().filter(|_| is_usual(context)) {
        prop_assert!((range.min..=range.max).contains(&total), "{total}: {range:?}");
    }
    Ok(range)
}

/// Returns whether the hand was won in a way that ranges take into account: rare ones, such as
/// robbing a kong, are given and not assumed.
pub(crate) fn is_usual(context: &Context) -> bool {
    matches!(context.win, WinSource::SelfDrawn | WinSource::Discard { .. })
}
