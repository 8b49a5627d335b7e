//! The totals that a hand may have, in words.

use super::Labels;
use super::verdict::fill;
use crate::context::ContextField;
use crate::rules::{OpenAnswer, OpenField, OpenSubject, OpenValue, TotalRange, Unit};

impl Labels {
    /// Returns the totals and what decides between them: the open fields, the most decisive first,
    /// and the questions about the tiles: `6–8: Won by self-draw 8, discard 6`.
    #[must_use]
    pub fn range(&self, range: &TotalRange, questions: &[String]) -> String {
        let fields = range.open.iter().map(|open| self.open_field(open));
        let open: Vec<String> = fields.chain(questions.iter().cloned()).collect();
        let totals = totals(range.min, range.max);
        if open.is_empty() {
            return totals;
        }
        [totals, open.join(self.clauses)].join(self.colon)
    }

    /// Returns whether all, some or no answers to the open fields reach the minimum, or that not
    /// all of them were tried; `None` where there is no minimum.
    #[must_use]
    pub fn minimum_of_range(&self, range: &TotalRange, minimum: (u32, Unit)) -> Option<String> {
        if range.partial {
            return Some(self.partial_range.to_owned());
        }
        let (needed, unit) = minimum;
        let words = match range.legal {
            Some(true) => self.minimum_met,
            Some(false) => self.minimum_met_by_none,
            None => self.minimum_met_by_some,
        };
        (needed > 0).then(|| fill(words, "minimum", self.minimum_in(unit, needed)))
    }

    /// Returns the totals alone: `6–8`.
    #[must_use]
    pub fn possible_totals(&self, range: &TotalRange) -> String {
        format!("{} {}", self.possible, totals(range.min, range.max))
    }

    fn open_field(&self, open: &OpenField) -> String {
        let texts = open.answers.iter().map(|answer| self.answer(answer));
        let answers = texts.collect::<Vec<_>>().join(self.list);
        match open.subject {
            OpenSubject::Field(ContextField::Seat) => format!("{} {answers}", self.seat),
            OpenSubject::Field(ContextField::Prevalent) => format!("{} {answers}", self.prevalent),
            OpenSubject::WinningTile => format!("{} {answers}", self.winning),
            OpenSubject::Field(
                ContextField::Riichi | ContextField::Ippatsu | ContextField::Declared,
            ) => answers,
            OpenSubject::Field(_) => format!("{} {answers}", self.win),
        }
    }

    fn answer(&self, answer: &OpenAnswer) -> String {
        let totals = totals(answer.min, answer.max);
        match answer.value {
            OpenValue::Tile(tile) => format!("{tile} {totals}"),
            OpenValue::Wind(wind) => format!("{} {totals}", self.winds[wind as usize]),
            OpenValue::Win(win) => format!("{} {totals}", self.wins[win.kind() as usize]),
            OpenValue::Riichi(call) => format!("{} {totals}", self.riichi_call(call)),
            OpenValue::Ippatsu(true) => format!("{} {totals}", self.ippatsu),
            OpenValue::Ippatsu(false) => format!("{} {totals}", self.no_ippatsu),
            OpenValue::Declared(declared) => format!("{} {totals}", self.declarations(declared)),
        }
    }
}

fn totals(min: u32, max: u32) -> String {
    if min == max { min.to_string() } else { format!("{min}–{max}") }
}
