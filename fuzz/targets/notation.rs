//! Hands as text: a parsed hand has the same meaning after it is written and parsed again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_core::notation::Notation;

fuzz_target!(|text: &str| {
    let Ok(read) = text.parse::<Notation>() else { return };
    let written = read.to_string();
    let again = written.parse::<Notation>();
    assert_eq!(again.map(sorted), Ok(sorted(read.clone())), "{written}");
    // The call must end, whether the tiles form a hand or not.
    let _ = read.hand.into_hand();
});

/// Returns a notation with sorted concealed tiles, because their order has no meaning.
fn sorted(mut notation: Notation) -> Notation {
    notation.hand.concealed.sort_unstable();
    notation
}
