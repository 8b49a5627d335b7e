//! The score sheet of an evening as a file for spreadsheets: comma-separated values, or a workbook.
//!
//! Input: a game. Output: the bytes of a file, the same for the same game. Invariants: the columns
//! are those of [`tilesight_core::evening::table`]; in a workbook a number is a number, a time is a
//! time, and a text is never a formula, whatever the language of the spreadsheet.

use rust_xlsxwriter::XlsxError;
use tilesight_core::evening::{Cell, Game, GameError, SheetTable, csv, table};
use tilesight_core::spreadsheet::text;

use crate::sheet::CsvStyle;
use crate::workbook::{BookCell, TableBook};

/// Name of the column with the time of each entry.
const TIME: &str = "time (UTC)";

/// Format of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SheetFormat {
    /// Comma-separated values.
    Csv(CsvStyle),
    /// Workbook of Excel, `.xlsx`.
    Workbook,
}

/// Error when a score sheet can't be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreSheetError {
    /// The game has no sheet.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The values can't be written.
    #[error(transparent)]
    Csv(#[from] ::csv::Error),
    /// The workbook can't be written.
    #[error(transparent)]
    Workbook(#[from] XlsxError),
}

/// Returns the score sheet of a game as a file.
///
/// # Errors
/// [`ScoreSheetError`]: the rules have changed since an entry, or the file can't be written.
pub fn score_sheet(game: &Game, format: SheetFormat) -> Result<Vec<u8>, ScoreSheetError> {
    match format {
        SheetFormat::Csv(CsvStyle::Plain) => Ok(csv(game)?.into_bytes()),
        SheetFormat::Csv(style) => Ok(styled(&table(game)?, style)?),
        SheetFormat::Workbook => write_workbook(game),
    }
}

fn styled(table: &SheetTable, style: CsvStyle) -> Result<Vec<u8>, ::csv::Error> {
    let mut out = style.writer(style.mark().to_vec());
    out.write_record(table.head.iter().map(|name| text(name)))?;
    for row in &table.rows {
        out.write_record(row.iter().map(|cell| styled_cell(cell, style)))?;
    }
    out.into_inner().map_err(|error| error.into_error().into())
}

fn styled_cell(cell: &Cell, style: CsvStyle) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(value) => text(value),
        Cell::Number(number) => number.to_string(),
        Cell::Decimal(number) => style.decimal(&number.to_string()).into_owned(),
    }
}

fn write_workbook(game: &Game) -> Result<Vec<u8>, ScoreSheetError> {
    let SheetTable { head, rows } = table(game)?;
    let mut book = TableBook::in_memory("deals")?;
    // The time of the file is that of the last change, so that the same game is the same file.
    let at = game.changes().last().map_or(0, |change| change.at);
    book.set_properties(game.title(), at)?;
    book.add_names(head.iter().map(String::as_str).chain([TIME]))?;
    let mut times = entry_times(game)?.into_iter();
    for row in &rows {
        // The entries are the first rows of the table.
        let time = times.next().flatten().map_or(BookCell::Empty, BookCell::Time);
        let missing = head.len().saturating_sub(row.len());
        let cells = row.iter().map(BookCell::from);
        let padding = std::iter::repeat_n(BookCell::Empty, missing);
        book.add_row(cells.chain(padding).chain([time]))?;
    }
    book.fit_columns();
    let mut bytes = Vec::new();
    book.finish(&mut bytes)?;
    Ok(bytes)
}

/// Returns the time of each entry, in milliseconds since 1970.
fn entry_times(game: &Game) -> Result<Vec<Option<u64>>, GameError> {
    let rows = game.sheet()?.rows;
    let times = rows.iter().map(|entry| {
        let change = game.changes().iter().find(|change| change.number == entry.entry.0);
        change.map(|change| change.at)
    });
    Ok(times.collect())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tilesight_core::evening::{Action, Manual, Meta, Play, Player, Reason};
    use tilesight_core::rules::{Book, RulesetId};

    use super::*;
    use crate::workbook::tests::part;

    /// 2026-11-30 20:15:30 in milliseconds since 1970.
    const AT: u64 = 1_796_069_730_000;

    fn game() -> Game {
        let names = ["=1+1", "Bo & <Co>", "Cy", "Di"].map(str::to_owned);
        let profile = Arc::clone(Book::shipped().get(RulesetId::MCR_WMO).expect("a rule set"));
        let mut game = Game::new("Évening".to_owned(), names, profile).expect("a game");
        let manual = Manual {
            reason: Reason::Adjustment,
            player: Player::ALL[0],
            payments: [-8, 8, 1, -1].into(),
            ends_deal: false,
            note: Some("@SUM(A1)".to_owned()),
        };
        let meta = Meta { at: AT, by: None, key: None };
        game.apply(meta, Action::Add { play: Play::Manual(manual), before: None })
            .expect("an entry");
        game
    }

    #[test]
    fn numbers_times_and_texts_of_a_workbook_are_what_they_are() {
        let book = score_sheet(&game(), SheetFormat::Workbook).expect("a workbook");
        let sheet = part(&book, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<f>"), "{sheet}");
        assert!(sheet.contains("<v>-8</v>") && sheet.contains("<v>8</v>"), "{sheet}");
        // Days since 1899-12-30, in the format 22, which shows a time as the language does.
        assert!(sheet.contains("<v>46356.84409722222</v>"), "{sheet}");
        assert!(part(&book, "xl/styles.xml").contains("numFmtId=\"22\""));
        let texts = part(&book, "xl/sharedStrings.xml");
        for text in ["<t>=1+1</t>", "<t>Bo &amp; &lt;Co&gt;</t>", "<t>@SUM(A1)</t>"] {
            assert!(texts.contains(text), "{text}: {texts}");
        }
    }

    #[test]
    fn the_same_game_is_the_same_file() {
        let game = game();
        let [one, other] =
            [(), ()].map(|()| score_sheet(&game, SheetFormat::Workbook).expect("a workbook"));
        assert_eq!(one, other);
    }

    #[test]
    fn values_for_excel_have_semicolons_and_decimal_commas() {
        let head = vec!["what".to_owned(), "=name".to_owned()];
        let row = vec![Cell::Text("-1.5".to_owned()), Cell::Decimal(-1.5)];
        let rows = vec![row, vec![Cell::Empty, Cell::Number(3)]];
        let table = styled(&SheetTable { head, rows }, CsvStyle::Excel).expect("memory");
        let text = "\u{feff}what;'=name\r\n'-1.5;-1,5\r\n;3\r\n";
        assert_eq!(String::from_utf8(table).expect("UTF-8"), text);
        let plain = score_sheet(&game(), SheetFormat::Csv(CsvStyle::Plain)).expect("a table");
        let converted = CsvStyle::Excel.convert(plain, true).expect("a table");
        let excel = score_sheet(&game(), SheetFormat::Csv(CsvStyle::Excel)).expect("a table");
        assert_eq!(excel, converted);
    }
}
