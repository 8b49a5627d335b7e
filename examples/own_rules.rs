//! Scores a hand by a custom rule set: `cargo run --example own_rules -- [PROFILE.toml]`.
//!
//! A rule set is a profile: a game with its options. `tilesight rules show ID` prints the options
//! of a shipped rule set; `docs/rules.md` describes the file.

use std::error::Error;
use std::{env, fs};

use tilesight_core::explain::Lang;
use tilesight_core::notation::Notation;
use tilesight_core::rules::{Book, Profile};

pub(crate) const PROFILE: &str = r#"
id = "our-club"
game = "classical"
extends = "classical-dmjl"
title = "Our club on Thursdays"

[options]
limit = 200
"#;

/// Thirteen orphans, which score the limit.
const HAND: &str = "19m19p19sESWNCFP1m|SE1000";

fn main() -> Result<(), Box<dyn Error>> {
    let profile = env::args().nth(1).map(fs::read_to_string).transpose()?;
    println!("{}", run(profile.as_deref().unwrap_or(PROFILE))?);
    Ok(())
}

/// Returns the score of a hand by a profile, and by a shipped rule set of the same game.
pub(crate) fn run(profile: &str) -> Result<String, Box<dyn Error>> {
    let mut book = Book::shipped();
    let own = book.install(Profile::parse(profile)?)?.id();
    let notation: Notation = HAND.parse()?;
    let hand = notation.hand.into_hand()?;
    let (context, _defaults) = notation.context.resolve()?;
    let line = |id| -> Result<String, Box<dyn Error>> {
        let ruleset = book.get(id)?;
        let score = ruleset.score(&hand, &context)?;
        Ok(format!("{}: {} points", ruleset.title(Lang::En), score.total))
    };
    Ok(format!("{}\n{}", line(own)?, line("classical-dmjl".parse()?)?))
}
