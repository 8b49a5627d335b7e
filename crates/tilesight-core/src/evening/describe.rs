//! A short description of a row of the score sheet in English, for the command line.
//!
//! Input: a row, and the names of the players as they are printed. Output: who won from whom, with
//! the total, or what else happened.

use super::PLAYERS;
use super::play::{HandPoints, Play, Reason, Win};
use super::row::Row;

/// Returns a short description of an entry.
#[must_use]
pub fn describe(row: &Row, names: &[String; PLAYERS]) -> String {
    let corrected = if row.corrected { " *" } else { "" };
    let supposed = row
        .supposed_winning_tile()
        .map(|tile| format!(" (winning tile supposed: {tile})"))
        .unwrap_or_default();
    let what = match &row.play {
        Play::Draw => "draw".to_owned(),
        Play::ExhaustiveDraw(draw) => {
            let ready: Vec<&str> =
                draw.tenpai.iter().map(|player| names[player.index()].as_str()).collect();
            format!("exhaustive draw, ready: {}", ready.join(", "))
        }
        Play::Riichi(riichi) => format!("riichi: {}", names[riichi.player.index()]),
        Play::Manual(manual) => {
            let why = match manual.reason {
                Reason::Hand => "hand",
                Reason::FalseMahjong => "false mahjong",
                Reason::Adjustment => "points",
            };
            format!("{why}: {}", names[manual.player.index()])
        }
        Play::Win(Win { winner, discarder, same_discard, .. })
        | Play::Points(HandPoints { winner, discarder, same_discard, .. }) => {
            let total = row.total().unwrap_or_default();
            match discarder {
                Some(discarder) => {
                    let too = if *same_discard { " too" } else { "" };
                    let from = &names[discarder.index()];
                    format!("{}{too} from {from}, {total}", names[winner.index()])
                }
                None => format!("{} self-drawn, {total}", names[winner.index()]),
            }
        }
    };
    let riichi = if row.has_riichi_by_stick() { " (riichi by the stick)" } else { "" };
    what + riichi + &supposed + corrected
}
