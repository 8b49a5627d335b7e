//! Scores a hand and prints its lines: `cargo run --example score_hand -- HAND [RULE SET]`.
//!
//! A hand is written as in `docs/notation.md`: here an exposed pung of East from the player
//! opposite, ten concealed tiles, the winning tile last, and the win context after `|`.

use std::env;
use std::error::Error;

use tilesight_core::explain::Lang;
use tilesight_core::notation::Notation;
use tilesight_core::rules::Book;

pub(crate) const HAND: &str = "[EEE,2]123m456p789s5s5s|SE1000";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let hand = arguments.next().unwrap_or_else(|| HAND.to_owned());
    let ruleset = arguments.next().unwrap_or_else(|| "mcr-wmo".to_owned());
    print!("{}", run(&hand, &ruleset)?);
    Ok(())
}

/// Returns the lines of a hand's score, and its total.
pub(crate) fn run(hand: &str, ruleset: &str) -> Result<String, Box<dyn Error>> {
    let notation: Notation = hand.parse()?;
    let hand = notation.hand.into_hand()?;
    let (context, _defaults) = notation.context.resolve()?;
    let book = Book::shipped();
    let score = book.get(ruleset.parse()?)?.score(&hand, &context)?;
    let mut text = String::new();
    for award in &score.awards {
        text += &format!("{:4}  {}\n", award.worth.points(), award.name(Lang::En));
    }
    Ok(text + &format!("{:4}  in total\n", score.total))
}
