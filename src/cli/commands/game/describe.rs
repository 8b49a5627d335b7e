//! A short description of a row of the score sheet.
//!
//! Input: a row, and the names of the players as they are printed. Output: who won from whom, with
//! the total, or what else happened.

use tilesight_core::evening::{
    Draw, ExhaustiveDraw, HandPoints, Manual, Play, Player, Reason, Row, Win,
};
use tilesight_core::explain::Lang;
use tilesight_core::rules::law::AbortKind;

use crate::texts::row as words;

/// Returns a short description of an entry in a language.
pub(super) fn describe(row: &Row, names: &[String], lang: Lang) -> String {
    let mut said = match &row.play {
        Play::Draw(Draw { abort: None }) => words::draw(lang).to_owned(),
        Play::Draw(Draw { abort: Some(reason) }) => aborted(*reason, lang).to_owned(),
        Play::ExhaustiveDraw(draw) => exhausted(draw, names, lang),
        Play::DeadHand(dead) => words::dead_hand(lang, &names[dead.player.index()]),
        Play::Chombo(by) => words::chombo(lang, &names[by.player.index()]),
        Play::Riichi(riichi) => words::riichi(lang, &names[riichi.player.index()]),
        Play::Manual(manual) => paid(manual, names, lang),
        Play::Win(Win { winner, discarder, same_discard, .. })
        | Play::Points(HandPoints { winner, discarder, same_discard, .. }) => {
            let winner = &names[winner.index()];
            let total = figures(row, lang);
            let said = match discarder.map(|player| &names[player.index()]) {
                Some(from) if *same_discard => words::too_from(lang, winner, from, total),
                Some(from) => words::from(lang, winner, from, total),
                None => words::self_drawn(lang, winner, total),
            };
            with_liable(row, said, names, lang)
        }
    };
    if row.has_riichi_by_stick() {
        said = words::by_stick(lang, said);
    }
    if let Some(tile) = row.supposed_winning_tile() {
        said = words::supposed(lang, said, tile);
    }
    let corrected = if row.corrected { " *" } else { "" };
    said + corrected
}

fn aborted(reason: AbortKind, lang: Lang) -> &'static str {
    match reason {
        AbortKind::NineTerminals => words::nine_terminals(lang),
        AbortKind::FourWinds => words::four_winds(lang),
        AbortKind::FourRiichi => words::four_riichi(lang),
        AbortKind::FourKongs => words::four_kongs(lang),
        AbortKind::ThreeWinners => words::three_winners(lang),
    }
}

fn exhausted(draw: &ExhaustiveDraw, names: &[String], lang: Lang) -> String {
    let ready = join(&draw.tenpai, names, lang);
    if draw.nagashi.is_empty() {
        return words::exhaustive(lang, ready);
    }
    words::nagashi(lang, join(&draw.nagashi, names, lang), ready)
}

fn paid(manual: &Manual, names: &[String], lang: Lang) -> String {
    let name = &names[manual.player.index()];
    match manual.reason {
        Reason::Hand => words::hand(lang, name),
        Reason::FalseMahjong => words::false_mahjong(lang, name),
        Reason::Adjustment => words::points(lang, name),
    }
}

/// Returns the description of a won hand with the player who is liable for it.
fn with_liable(row: &Row, said: String, names: &[String], lang: Lang) -> String {
    match row.liable() {
        Some(player) => words::liable(lang, said, &names[player.index()]),
        None => said,
    }
}

/// Returns the names of players as a list, or a word for none.
fn join(players: &[Player], names: &[String], lang: Lang) -> String {
    if players.is_empty() {
        return words::nobody(lang).to_owned();
    }
    let named: Vec<&str> = players.iter().map(|player| names[player.index()].as_str()).collect();
    named.join(lang.labels().list)
}

/// Returns the total of a won hand, with its han and fu, or its faan, where the rules count these.
fn figures(row: &Row, lang: Lang) -> String {
    let total = row.total().unwrap_or_default();
    let Some(score) = row.scored.as_ref().map(|scored| scored.score()) else {
        return total.to_string();
    };
    match (&score.riichi, score.faan()) {
        (Some(figures), _) if figures.yakuman > 0 => {
            words::of_yakuman(lang, figures.yakuman, total)
        }
        (Some(figures), _) => {
            words::of_han(lang, total, figures.han, figures.fu.unwrap_or_default())
        }
        (None, Some(count)) => words::of_faan(lang, total, count.faan),
        (None, None) => total.to_string(),
    }
}
