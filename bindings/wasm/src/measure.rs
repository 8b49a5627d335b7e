//! Benchmark of the engine for hands, without the JSON around it: `make bench-browser`.
//!
//! Input: scoring requests, one per line. Output: the sum of the totals of all hands, so that the
//! compiler can't remove any work. Only the feature `measure` compiles this; the package does not
//! contain it.

#![allow(unsafe_code, reason = "the name of an export counts as unsafe; nothing else here is")]

use std::cell::RefCell;

use tilesight_core::contract::{PreparedHand, Problem, ScoreRequest};
use tilesight_core::rules::Book;

use crate::exports::with_input;

thread_local! {
    static HANDS: RefCell<Vec<PreparedHand>> = const { RefCell::new(Vec::new()) };
}

/// Reads the hands in the input buffer. Returns their number, or a negative number if one can't be
/// read.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_measure_read() -> isize {
    let Ok(hands) = with_input(read_hands) else { return -1 };
    HANDS.replace(hands);
    HANDS.with_borrow(|hands| isize::try_from(hands.len()).unwrap_or(isize::MAX))
}

fn read_hands(input: &[u8]) -> Result<Vec<PreparedHand>, Problem> {
    let book = Book::shipped();
    let lines = input.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| ScoreRequest::from_json(line)?.prepare(&book)).collect()
}

/// Returns the sum of the totals of all hands that were read.
#[unsafe(no_mangle)]
pub extern "C" fn tilesight_measure_totals() -> u32 {
    HANDS.with_borrow(|hands| {
        hands
            .iter()
            .filter_map(|hand| hand.ruleset.rules().points(&hand.hand, &hand.context).ok())
            .sum()
    })
}
