//! A short description of a row of the score sheet, in English.
//!
//! Input: a row, and the names of the players as they are printed. Output: who won from whom, with
//! the total, or what else happened.

use tilesight_core::evening::{Draw, HandPoints, Play, Player, Reason, Row, Win};

/// Returns a short description of an entry.
pub(super) fn describe(row: &Row, names: &[String]) -> String {
    let corrected = if row.corrected { " *" } else { "" };
    let supposed = row
        .supposed_winning_tile()
        .map(|tile| format!(" (winning tile supposed: {tile})"))
        .unwrap_or_default();
    let what = match &row.play {
        Play::Draw(Draw { abort: None }) => "draw".to_owned(),
        Play::Draw(Draw { abort: Some(reason) }) => {
            format!("aborted: {}", reason.name().replace('_', " "))
        }
        Play::ExhaustiveDraw(draw) => {
            let ready = join(&draw.tenpai, names);
            if draw.nagashi.is_empty() {
                format!("exhaustive draw, ready: {ready}")
            } else {
                let paid = join(&draw.nagashi, names);
                format!("exhaustive draw, nagashi mangan: {paid}, ready: {ready}")
            }
        }
        Play::DeadHand(dead) => format!("dead hand: {}", names[dead.player.index()]),
        Play::Chombo(by) => format!("chombo: {}", names[by.player.index()]),
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
            let by = row
                .liable()
                .map_or_else(String::new, |player| format!(", {} liable", names[player.index()]));
            let total = format!("{}{}{by}", row.total().unwrap_or_default(), figures(row));
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

/// Returns the names of players, separated by commas.
fn join(players: &[Player], names: &[String]) -> String {
    let named: Vec<&str> = players.iter().map(|player| names[player.index()].as_str()).collect();
    named.join(", ")
}

/// Returns han and fu of a won hand, or its faan, where the rules count these.
fn figures(row: &Row) -> String {
    let Some(score) = row.scored.as_ref().map(|scored| scored.score()) else {
        return String::new();
    };
    match (&score.riichi, score.faan()) {
        (Some(figures), _) if figures.yakuman > 0 => format!(" ({} yakuman)", figures.yakuman),
        (Some(figures), _) => {
            format!(" ({} han {} fu)", figures.han, figures.fu.unwrap_or_default())
        }
        (None, Some(count)) => format!(" ({} faan)", count.faan),
        (None, None) => String::new(),
    }
}
