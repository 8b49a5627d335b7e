//! Export of the score sheet as a table for spreadsheets.
//!
//! Output: CSV as in RFC 4180, one line per entry. Invariant: a text that people typed is never
//! taken for a formula: one that starts like a formula gets an apostrophe before it.

use super::play::{Play, Reason};
use super::{Game, GameError, Player, Row};
use crate::spreadsheet::{line, text};

/// Columns that only the game of sixteen tiles has.
const OF_DEALER: [&str; 4] = ["dealer", "streak", "tai", "dealer_tai"];

/// Returns the sheet of a game as CSV.
///
/// # Errors
/// [`GameError`], as in [`Game::sheet`].
pub fn csv(game: &Game) -> Result<String, GameError> {
    let sheet = game.sheet()?;
    let names = game.players();
    let mut head: Vec<String> = [
        "deal",
        "round",
        "east",
        "what",
        "player",
        "discarder",
        "hand",
        "supposed",
        "score",
        "note",
    ]
    .map(str::to_owned)
    .to_vec();
    let has_dealer = game.ruleset().rules().law().dealer.is_some();
    if has_dealer {
        head.extend(OF_DEALER.map(str::to_owned));
    }
    head.extend(names.iter().map(|name| text(name)));
    head.extend(names.iter().map(|name| text(&format!("{name} total"))));
    let mut out = line(&head);
    for row in &sheet.rows {
        out.push_str(&line(&cells(row, names, has_dealer)));
    }
    Ok(out)
}

fn cells(row: &Row, names: &[String; 4], has_dealer: bool) -> Vec<String> {
    let (what, player, discarder, hand, note) = match &row.play {
        Play::Win(win) => ("win", Some(win.winner), win.discarder, hand_of(row), None),
        Play::Points(hand) => ("points", Some(hand.winner), hand.discarder, String::new(), None),
        Play::Draw => ("draw", None, None, String::new(), None),
        Play::ExhaustiveDraw(_) => ("exhaustive_draw", None, None, String::new(), None),
        Play::Riichi(riichi) => ("riichi", Some(riichi.player), None, String::new(), None),
        Play::Manual(manual) => {
            let what = match manual.reason {
                Reason::Hand => "hand",
                Reason::FalseMahjong => "false_mahjong",
                Reason::Adjustment => "adjustment",
            };
            (what, Some(manual.player), None, String::new(), manual.note.as_deref())
        }
    };
    let east = row.deal.map(|deal| deal.player_at(crate::tile::Wind::East));
    let mut cells = vec![
        row.deal.map(|deal| deal.number.to_string()).unwrap_or_default(),
        row.deal.map(|deal| deal.round.tile().to_string()).unwrap_or_default(),
        name_of(east, names),
        what.to_owned(),
        name_of(player, names),
        name_of(discarder, names),
        text(&hand),
        row.supposed_winning_tile().map(|tile| tile.to_string()).unwrap_or_default(),
        row.total().map(|total| total.to_string()).unwrap_or_default(),
        text(note.unwrap_or_default()),
    ];
    if has_dealer {
        cells.extend(cells_of_dealer(row, names));
    }
    cells.extend(row.payments.iter().map(i32::to_string));
    cells.extend(row.totals.iter().map(i32::to_string));
    cells
}

/// Returns the dealer, how often he has stayed on, the tai of the hand, and those that the dealer
/// and another player owe each other besides.
fn cells_of_dealer(row: &Row, names: &[String; 4]) -> [String; 4] {
    let score = row.scored.as_ref().map(|scored| scored.score());
    let dealer_tai = score.and_then(|score| score.dealer_tai);
    [
        name_of(row.deal.map(|deal| deal.dealer()), names),
        row.deal.map(|deal| deal.repeats.to_string()).unwrap_or_default(),
        row.total().map(|tai| tai.to_string()).unwrap_or_default(),
        dealer_tai.map(|tai| tai.to_string()).unwrap_or_default(),
    ]
}

fn name_of(player: Option<Player>, names: &[String; 4]) -> String {
    player.map_or(String::new(), |player| text(&names[player.index()]))
}

fn hand_of(row: &Row) -> String {
    let scored = row.scored.as_ref();
    let setup = scored.map(|scored| scored.prepared.setup.clone()).unwrap_or_default();
    crate::notation::Notation::from_hand(setup).to_string()
}
