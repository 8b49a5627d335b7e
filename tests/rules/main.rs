//! Scoring: corpora, published examples, laws and single cases of the rule sets.
//!
//! Input: typed hands. Needs neither models nor ONNX Runtime.

#[path = "../support/classical_oracle.rs"]
mod classical_oracle;
#[path = "../support/classical_rows/mod.rs"]
mod classical_rows;
#[path = "../support/hongkong_oracle.rs"]
mod hongkong_oracle;
#[path = "../support/hongkong_rows.rs"]
mod hongkong_rows;
#[path = "../support/mcr_hands.rs"]
mod mcr_hands;
#[path = "../support/mcr_oracle.rs"]
mod mcr_oracle;
#[path = "../support/mcr_rows.rs"]
mod mcr_rows;
#[path = "../support/mmm_hands.rs"]
mod mmm_hands;
#[path = "../support/mmm_oracle.rs"]
mod mmm_oracle;
#[path = "../support/mmm_rows.rs"]
mod mmm_rows;
#[path = "../support/riichi_oracle.rs"]
mod riichi_oracle;
#[path = "../support/riichi_rows.rs"]
mod riichi_rows;
#[path = "../support/taiwan_rows.rs"]
mod taiwan_rows;

// A law that all games share.
mod ranges;

// How a hand is written.
mod notation;

// Chinese Official (MCR): the corpus, single cases, and laws on random hands.
mod mcr_corpus;
mod mcr_edges;
mod mcr_laws;

// Mahjong Masters Million: its worked examples, each line, and laws on random hands.
mod mmm_examples;
mod mmm_laws;
mod mmm_lines;

// The classical game: generated hands, each line and option, and laws on random hands.
mod classical_cases;
mod classical_edges;
mod classical_laws;

// Hong Kong old style: the test data, each line and option, and laws on random hands.
mod hongkong_corpus;
mod hongkong_laws;
mod hongkong_lines;

// Riichi: the corpus, single cases, hands of public reports with their sources, and laws on changed
// rows.
mod riichi_cases;
mod riichi_corpus;
mod riichi_evenings;
mod riichi_laws;
mod riichi_reports;
mod riichi_three;

// Evenings of all games, written by hand with their final sheets.
mod written_evenings;

// The Taiwanese game of sixteen tiles: the test data, each line and option, evenings, and laws on
// changed rows.
mod taiwan_corpus;
mod taiwan_evenings;
mod taiwan_laws;
mod taiwan_lines;

// Evenings: from the first deal to the standings, and laws that hold for each.
mod evenings;

// A series of evenings: seating, standings, records, and tables of results.
mod seating;
mod series;

// Hands where several rules meet.
mod together;

// The picture of a scored hand.
mod examples;
