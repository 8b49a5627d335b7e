//! Texts of the errors on changing a series.

use super::{CellFault, RowFault, SeriesError};
use crate::explain::{Lang, Message, display_english};
use crate::texts::{series_error, series_row};

display_english!(SeriesError);
display_english!(CellFault);

impl Message for SeriesError {
    fn text(&self, lang: Lang) -> String {
        match self {
            SeriesError::Over => series_error::over(lang).to_owned(),
            SeriesError::NoTitle => series_error::no_title(lang).to_owned(),
            SeriesError::TooManyPlayers { max, .. } => series_error::too_many_players(lang, max),
            SeriesError::NoPlayer { player, .. } => series_error::no_player(lang, player),
            SeriesError::NoRound(round) => series_error::no_round(lang, round),
            SeriesError::NoTable { round, table } => series_error::no_table(lang, round, table),
            SeriesError::NoResult { round, table } => series_error::no_result(lang, table, round),
            SeriesError::NotNext { round, next } => series_error::not_next(lang, round, next),
            SeriesError::TooManyRounds { max, .. } => series_error::too_many_rounds(lang, max),
            SeriesError::TooFew { present, seats } => series_error::too_few(lang, seats, present),
            SeriesError::TableSize { seats, .. } => series_error::table_size(lang, seats),
            SeriesError::EmptyChair(_) => series_error::empty_chair(lang).to_owned(),
            SeriesError::Twice { name, .. } => series_error::twice(lang, name),
            SeriesError::GuestIsPlayer { name, .. } => series_error::guest_is_player(lang, name),
            SeriesError::TwoSubstitutes => series_error::two_substitutes(lang).to_owned(),
            SeriesError::NotSeated { name, round } => series_error::not_seated(lang, name, round),
            SeriesError::NumberOfPoints(seats) => series_error::number_of_points(lang, seats),
            SeriesError::Unbalanced { sum, whole } => unbalanced(lang, *sum, *whole),
            SeriesError::TooManyPoints { max, .. } => series_error::too_many_points(lang, max),
            SeriesError::RankingLength { list, seats } => {
                series_error::ranking_length(lang, list, seats)
            }
            SeriesError::OtherRules { found, expected } => {
                series_error::other_rules(lang, found, expected)
            }
            SeriesError::OtherPlayers { round, table, .. } => {
                series_error::other_players(lang, table, round)
            }
            SeriesError::NothingToCollect => series_error::nothing_to_collect(lang).to_owned(),
            SeriesError::Rows(faults) => {
                faults.first().map(|fault| fault.text(lang)).unwrap_or_default()
            }
            SeriesError::Full(max) => series_error::full(lang, max),
            SeriesError::TooLarge(max) => series_error::too_large(lang, max),
            SeriesError::Game(error) => error.text(lang),
        }
    }
}

impl Message for CellFault {
    fn text(&self, lang: Lang) -> String {
        series_row::place(lang, self.line, &self.column, fault_of_row(lang, &self.fault))
    }
}

fn fault_of_row(lang: Lang, fault: &RowFault) -> String {
    match fault {
        RowFault::NoColumn => series_row::no_column(lang).to_owned(),
        RowFault::NoRows => series_row::no_rows(lang).to_owned(),
        RowFault::Empty => series_row::empty(lang).to_owned(),
        RowFault::NotANumber(text) => series_row::not_a_number(lang, text),
        RowFault::UnknownName(name) => series_row::unknown_name(lang, name),
        RowFault::NameTwice(name) => series_row::name_twice(lang, name),
        RowFault::TableTwice(line) => series_row::table_twice(lang, line),
        RowFault::Unbalanced { sum, whole } => unbalanced(lang, *sum, *whole),
        RowFault::Gap(number) => series_row::gap(lang, number),
    }
}

fn unbalanced(lang: Lang, sum: i64, whole: i64) -> String {
    if whole == 0 {
        return series_error::unbalanced(lang, sum);
    }
    series_error::unbalanced_scores(lang, whole, sum)
}
