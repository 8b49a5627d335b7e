//! Mahjong hands, the rules that score them, and the JSON of both.
//!
//! ```
//! use tilesight_core::contract::ScoreRequest;
//! use tilesight_core::explain::Lang;
//! use tilesight_core::rules::Book;
//!
//! let request = br#"{ "hand": "123456789m11pFFF", "context": { "seat": "S" } }"#;
//! let scored = ScoreRequest::from_json(request)?.prepare(&Book::shipped())?.score()?;
//! println!("{}", scored.to_dto(Lang::En).verdict);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate is pure computation: it does no I/O, sees no images and has no async code. Types carry
//! their invariants, so that a [`Hand`](hand::Hand) has a legal number of tiles and a
//! [`Meld`](meld::Meld) is a set that exists. Illegal input is refused with all its faults at once,
//! and never corrected.
//!
//! # Parts
//! A module depends only on modules in its own row and in the rows above.
//!
//! | module | contents |
//! |---|---|
//! | [`hex`], [`lang`], [`plural`], [`printable`], [`spreadsheet`], [`stop`] | languages, plurals, hex digits, texts that are safe to print and to open in a spreadsheet, and the end of work that nobody waits for |
//! | [`tile`], [`tiles`], [`meld`] | tiles, counts of tiles, chows, pungs and kongs |
//! | [`hand`], [`context`], [`settle`] | a hand, the facts that its tiles do not show, who pays whom |
//! | [`notation`] | a hand in one line of text |
//! | [`rules`] | the rule families: each has a folder with its lines and exclusions as tables (`fan.rs`, `line.rs`, `exclusion.rs`), and its rule sets as TOML (`profiles/`) |
//! | [`explain`] | texts for people; their words are in `tilesight-texts/catalogues` |
//! | [`contract`] | the JSON of requests and answers, its limits and its faults |
//! | [`evening`] | the deals of an evening, its sheet and its standings |
//! | [`series`] | the evenings of a league or a tournament: seating, results, standings and records |

pub mod context;
pub mod contract;
pub mod evening;
pub mod explain;
pub mod hand;
pub mod hex;
mod json_size;
pub mod lang;
pub mod meld;
pub mod notation;
pub mod plural;
pub mod printable;
pub mod rules;
pub mod series;
pub mod settle;
pub mod spreadsheet;
pub mod stop;
pub mod tile;
pub mod tiles;

/// Generated functions, one for each text of the catalogues.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}
