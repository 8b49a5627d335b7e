//! Hands as text: what is read means the same when it is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_core::notation::Notation;

fuzz_target!(|text: &str| {
    let Ok(read) = text.parse::<Notation>() else { return };
    let written = read.to_string();
    let again = written.parse::<Notation>();
    assert_eq!(again.map(sorted), Ok(sorted(read.clone())), "{written}");
    // Whether it is a hand or not: it ends.
    let _ = read.hand.into_hand();
});

/// Concealed tiles lie in no order of their own.
fn sorted(mut notation: Notation) -> Notation {
    notation.hand.concealed.sort_unstable();
    notation
}
