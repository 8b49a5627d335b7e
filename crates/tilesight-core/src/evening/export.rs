//! Export of the score sheet as a table for spreadsheets.
//!
//! Output: a [`SheetTable`] of typed cells, one row for each entry and one for each place in the
//! standings; or that table as CSV, as in RFC 4180. Invariant: a text that people typed is never
//! taken for a formula: in CSV one that starts like a formula gets an apostrophe before it.

use super::play::{Play, Reason};
use super::standings::Rank;
use super::{Game, GameError, Player, Row};
use crate::context::ContextField;
use crate::notation::Notation;
use crate::rules::Unit;
use crate::rules::law::Law;
use crate::spreadsheet::{line, text};
use crate::tile::Wind;

/// Columns of every game.
const OF_ALL: [&str; 10] =
    ["deal", "round", "east", "what", "player", "discarder", "hand", "supposed", "score", "note"];
/// Columns that only the game of sixteen tiles has.
const OF_DEALER: [&str; 4] = ["dealer", "streak", "tai", "dealer_tai"];
/// Columns that only riichi has.
const OF_RIICHI: [&str; 6] = ["honba", "sticks", "han", "fu", "ready", "nagashi"];
/// Columns of the standings.
const OF_PLACES: [&str; 3] = ["place", "points", "to_next"];
/// Columns of the standings in riichi.
const OF_RESULTS: [&str; 5] = ["uma", "oka", "left_sticks", "penalty", "result"];

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
    /// A number that does not count, in brackets.
    Uncounted(f64),
}

/// A score sheet, or a table of a series, for spreadsheets.
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
    Ok(table(game)?.to_csv())
}

/// Returns the sheet of a game as a table: its entries, and the standings after the last one.
///
/// # Errors
/// [`GameError`], as in [`Game::sheet`].
pub fn table(game: &Game) -> Result<SheetTable, GameError> {
    let sheet = game.sheet()?;
    let rules = game.ruleset().rules();
    let columns = Columns {
        names: game.players(),
        law: rules.law(),
        has_faan: rules.minimum().1 == Unit::Faan,
        has_liability: rules.asks(ContextField::Feeder),
    };
    let entries = sheet.rows.iter().map(|row| columns.entry(row));
    let places = sheet.standings.iter().filter(|_| !sheet.rows.is_empty());
    let rows = entries.chain(places.map(|rank| columns.place(rank))).collect();
    Ok(SheetTable { head: columns.head(), rows })
}

impl SheetTable {
    /// Returns the table as CSV, as in RFC 4180.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let head: Vec<String> = self.head.iter().map(|name| text(name)).collect();
        let mut out = line(&head);
        for row in &self.rows {
            out.push_str(&line(&row.iter().map(Cell::to_csv).collect::<Vec<_>>()));
        }
        out
    }
}

impl Cell {
    fn from_option(number: Option<impl Into<i64>>) -> Cell {
        number.map_or(Cell::Empty, |number| Cell::Number(number.into()))
    }

    /// Returns a text, or an empty cell for an empty one.
    pub(crate) fn from_text(text: impl Into<String>) -> Cell {
        let text = text.into();
        if text.is_empty() { Cell::Empty } else { Cell::Text(text) }
    }

    fn to_csv(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(value) => text(value),
            Cell::Number(number) => number.to_string(),
            Cell::Decimal(number) => number.to_string(),
            Cell::Uncounted(number) => format!("({number})"),
        }
    }
}

/// The columns of a game.
struct Columns<'a> {
    names: &'a [String],
    law: Law,
    has_faan: bool,
    has_liability: bool,
}

impl Columns<'_> {
    fn head(&self) -> Vec<String> {
        let fixed = OF_ALL.iter().chain(self.game_columns());
        let names = self.names.iter().cloned();
        let totals = self.names.iter().map(|name| format!("{name} total"));
        let places = self.place_columns().map(|name| (*name).to_owned());
        fixed.map(|name| (*name).to_owned()).chain(names).chain(totals).chain(places).collect()
    }

    /// Returns the columns of an entry that some games have.
    fn game_columns(&self) -> impl Iterator<Item = &'static &'static str> + use<> {
        let dealer: &[&str] = if self.law.dealer.is_some() { &OF_DEALER } else { &[] };
        let riichi: &[&str] = if self.law.riichi.is_some() { &OF_RIICHI } else { &[] };
        let faan: &[&str] = if self.has_faan { &["faan"] } else { &[] };
        let liable: &[&str] = if self.has_liability { &["liable"] } else { &[] };
        dealer.iter().chain(riichi).chain(faan).chain(liable)
    }

    /// Returns the columns of a place in the standings.
    fn place_columns(&self) -> impl Iterator<Item = &'static &'static str> + use<> {
        let points: &[&str] = if self.law.table_points.is_some() { &["table_points"] } else { &[] };
        let results: &[&str] = if self.law.riichi.is_some() { &OF_RESULTS } else { &[] };
        OF_PLACES.iter().chain(points).chain(results)
    }

    /// Returns the cells of an entry.
    fn entry(&self, row: &Row) -> Vec<Cell> {
        let mut cells = self.cells_of_all(row);
        if self.law.dealer.is_some() {
            cells.extend(self.cells_of_dealer(row));
        }
        if self.law.riichi.is_some() {
            cells.extend(self.cells_of_riichi(row));
        }
        if self.has_faan {
            let faan = row.scored.as_ref().and_then(|scored| scored.score().faan());
            cells.push(Cell::from_option(faan.map(|count| count.faan).or_else(|| row.total())));
        }
        if self.has_liability {
            cells.push(self.name(row.liable()));
        }
        let count = self.names.len();
        cells.extend(row.payments[..count].iter().map(|&points| Cell::Number(points.into())));
        cells.extend(row.totals[..count].iter().map(|&total| self.points(total)));
        cells.extend(self.place_columns().map(|_| Cell::Empty));
        cells
    }

    fn cells_of_all(&self, row: &Row) -> Vec<Cell> {
        let east = row.deal.map(|deal| deal.player_at(Wind::East));
        let round = row.deal.map(|deal| deal.round.tile().to_string());
        let supposed = row.supposed_winning_tile().map(|tile| tile.to_string());
        let note = match &row.play {
            Play::Manual(manual) => manual.note.clone(),
            Play::Draw(draw) => draw.abort.map(|kind| kind.name().to_owned()),
            _ => None,
        };
        vec![
            Cell::from_option(row.deal.map(|deal| deal.number)),
            Cell::from_text(round.unwrap_or_default()),
            self.name(east),
            Cell::from_text(kind(&row.play)),
            self.name(subject(&row.play)),
            self.name(row.discarder()),
            Cell::from_text(hand_of(row)),
            Cell::from_text(supposed.unwrap_or_default()),
            Cell::from_option(row.total()),
            Cell::from_text(note.unwrap_or_default()),
        ]
    }

    /// Returns the dealer, how often he has stayed on, the tai of the hand, and those that the
    /// dealer and another player owe each other besides.
    fn cells_of_dealer(&self, row: &Row) -> [Cell; 4] {
        let score = row.scored.as_ref().map(|scored| scored.score());
        [
            self.name(row.deal.map(|deal| deal.dealer())),
            Cell::from_option(row.deal.map(|deal| deal.repeats)),
            Cell::from_option(row.total()),
            Cell::from_option(score.and_then(|score| score.dealer_tai)),
        ]
    }

    /// Returns what lay on the table before the entry, han and fu, and who was ready in the end.
    fn cells_of_riichi(&self, row: &Row) -> [Cell; 6] {
        let score = row.scored.as_ref().map(|scored| scored.score());
        let figures = score.and_then(|score| score.riichi.as_ref());
        let draw = if let Play::ExhaustiveDraw(draw) = &row.play { Some(draw) } else { None };
        [
            Cell::from_option(row.deal.map(|deal| deal.honba)),
            Cell::from_option(row.deal.map(|deal| deal.sticks)),
            Cell::from_option(figures.map(|figures| figures.han)),
            Cell::from_option(figures.and_then(|figures| figures.fu)),
            Cell::from_text(draw.map(|draw| self.list(&draw.tenpai)).unwrap_or_default()),
            Cell::from_text(draw.map(|draw| self.list(&draw.nagashi)).unwrap_or_default()),
        ]
    }

    /// Returns the cells of a place in the standings.
    fn place(&self, rank: &Rank) -> Vec<Cell> {
        let what = OF_ALL.iter().map(|&column| match column {
            "what" => Cell::Text("place".to_owned()),
            "player" => self.name(Some(rank.player)),
            _ => Cell::Empty,
        });
        let more = self.game_columns().count() + 2 * self.names.len();
        let mut cells: Vec<Cell> = what.chain((0..more).map(|_| Cell::Empty)).collect();
        cells.extend([
            Cell::Number(rank.place.into()),
            self.points(rank.total),
            Cell::Number(rank.to_next.into()),
        ]);
        cells.extend(rank.table_points.map(|points| Cell::Decimal(points.rounded())));
        if let (Some(bonus), Some(result)) = (rank.bonus, rank.result()) {
            let figures = [bonus.uma, bonus.oka, bonus.sticks, -bonus.penalty, result];
            cells.extend(figures.map(|points| Cell::Number(points.into())));
        }
        cells
    }

    /// Returns the points of a player with those of the start.
    fn points(&self, total: i32) -> Cell {
        let start = self.law.riichi.map_or(0, |riichi| riichi.start);
        Cell::Number(i64::from(start) + i64::from(total))
    }

    fn name(&self, player: Option<Player>) -> Cell {
        let name = player.and_then(|player| self.names.get(player.index()));
        name.map_or(Cell::Empty, Cell::from_text)
    }

    /// Returns the names of players, separated by commas.
    fn list(&self, players: &[Player]) -> String {
        let named: Vec<&str> =
            players.iter().filter_map(|one| Some(self.names.get(one.index())?.as_str())).collect();
        named.join(", ")
    }
}

/// Returns the name of what an entry is.
const fn kind(play: &Play) -> &'static str {
    match play {
        Play::Win(_) => "win",
        Play::Points(_) => "points",
        Play::Draw(_) => "draw",
        Play::ExhaustiveDraw(_) => "exhaustive_draw",
        Play::Riichi(_) => "riichi",
        Play::DeadHand(_) => "dead_hand",
        Play::Chombo(_) => "chombo",
        Play::Manual(manual) => match manual.reason {
            Reason::Hand => "hand",
            Reason::FalseMahjong => "false_mahjong",
            Reason::Adjustment => "adjustment",
        },
    }
}

/// Returns the player whom an entry is about.
const fn subject(play: &Play) -> Option<Player> {
    match play {
        Play::Win(win) => Some(win.winner),
        Play::Points(hand) => Some(hand.winner),
        Play::Draw(_) | Play::ExhaustiveDraw(_) => None,
        Play::Riichi(riichi) => Some(riichi.player),
        Play::DeadHand(of) | Play::Chombo(of) => Some(of.player),
        Play::Manual(manual) => Some(manual.player),
    }
}

fn hand_of(row: &Row) -> String {
    let scored = row.scored.as_ref();
    let setup = scored.map(|scored| scored.prepared.setup.clone()).unwrap_or_default();
    Notation::from_hand(setup).to_string()
}
