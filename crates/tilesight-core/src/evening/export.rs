//! Export of the score sheet as a table for spreadsheets.
//!
//! Output: a [`SheetTable`] of typed cells, one row for each entry; or that table as CSV, as in RFC
//! 4180. Invariant: a text that people typed is never taken for a formula: in CSV one that starts
//! like a formula gets an apostrophe before it.

use super::play::{Play, Reason};
use super::{Game, GameError, Player, Row};
use crate::spreadsheet::{line, text};
use crate::tile::Wind;

/// Columns of every game.
const OF_ALL: [&str; 10] =
    ["deal", "round", "east", "what", "player", "discarder", "hand", "supposed", "score", "note"];
/// Columns that only the game of sixteen tiles has.
const OF_DEALER: [&str; 4] = ["dealer", "streak", "tai", "dealer_tai"];

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Empty cell.
    Empty,
    /// A text, which a person may have typed.
    Text(String),
    /// A whole number.
    Number(i64),
    /// A number with decimals.
    Decimal(f64),
}

/// A score sheet as a table.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetTable {
    /// Names of the columns. Those of the players are texts that people typed.
    pub head: Vec<String>,
    /// Rows, with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// Returns the sheet of a game as CSV.
///
/// # Errors
/// [`GameError`], as in [`Game::sheet`].
pub fn csv(game: &Game) -> Result<String, GameError> {
    let SheetTable { head, rows } = table(game)?;
    let head: Vec<String> = head.iter().map(|name| text(name)).collect();
    let mut out = line(&head);
    for row in &rows {
        out.push_str(&line(&row.iter().map(Cell::to_csv).collect::<Vec<_>>()));
    }
    Ok(out)
}

/// Returns the sheet of a game as a table.
///
/// # Errors
/// [`GameError`], as in [`Game::sheet`].
pub fn table(game: &Game) -> Result<SheetTable, GameError> {
    let sheet = game.sheet()?;
    let names = game.players();
    let has_dealer = game.ruleset().rules().law().dealer.is_some();
    let of_dealer: &[&str] = if has_dealer { &OF_DEALER } else { &[] };
    let fixed = OF_ALL.iter().chain(of_dealer).map(|name| (*name).to_owned());
    let totals = names.iter().map(|name| format!("{name} total"));
    let head = fixed.chain(names.iter().cloned()).chain(totals).collect();
    let rows = sheet.rows.iter().map(|row| cells(row, names, has_dealer)).collect();
    Ok(SheetTable { head, rows })
}

impl Cell {
    fn from_option(number: Option<impl Into<i64>>) -> Cell {
        number.map_or(Cell::Empty, |number| Cell::Number(number.into()))
    }

    /// Returns a text, or an empty cell for an empty one.
    fn from_text(text: impl Into<String>) -> Cell {
        let text = text.into();
        if text.is_empty() { Cell::Empty } else { Cell::Text(text) }
    }

    fn to_csv(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(value) => text(value),
            Cell::Number(number) => number.to_string(),
            Cell::Decimal(number) => number.to_string(),
        }
    }
}

fn cells(row: &Row, names: &[String; 4], has_dealer: bool) -> Vec<Cell> {
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
    let supposed = row.supposed_winning_tile().map(|tile| tile.to_string());
    let mut cells = vec![
        Cell::from_option(row.deal.map(|deal| deal.number)),
        Cell::from_text(row.deal.map(|deal| deal.round.tile().to_string()).unwrap_or_default()),
        name_of(row.deal.map(|deal| deal.player_at(Wind::East)), names),
        Cell::from_text(what),
        name_of(player, names),
        name_of(discarder, names),
        Cell::from_text(hand),
        Cell::from_text(supposed.unwrap_or_default()),
        Cell::from_option(row.total()),
        Cell::from_text(note.unwrap_or_default()),
    ];
    if has_dealer {
        cells.extend(cells_of_dealer(row, names));
    }
    cells.extend(row.payments.iter().map(|&points| Cell::Number(points.into())));
    cells.extend(row.totals.iter().map(|&total| Cell::Number(total.into())));
    cells
}

/// Returns the dealer, how often he has stayed on, the tai of the hand, and those that the dealer
/// and another player owe each other besides.
fn cells_of_dealer(row: &Row, names: &[String; 4]) -> [Cell; 4] {
    let score = row.scored.as_ref().map(|scored| scored.score());
    [
        name_of(row.deal.map(|deal| deal.dealer()), names),
        Cell::from_option(row.deal.map(|deal| deal.repeats)),
        Cell::from_option(row.total()),
        Cell::from_option(score.and_then(|score| score.dealer_tai)),
    ]
}

fn name_of(player: Option<Player>, names: &[String; 4]) -> Cell {
    player.map_or(Cell::Empty, |player| Cell::from_text(&names[player.index()]))
}

fn hand_of(row: &Row) -> String {
    let scored = row.scored.as_ref();
    let setup = scored.map(|scored| scored.prepared.setup.clone()).unwrap_or_default();
    crate::notation::Notation::from_hand(setup).to_string()
}
