//! The score sheet of an evening as a file for spreadsheets.
//!
//! Input: a game. Output: the bytes of a file, the same for the same game. Invariant: the columns
//! are those of [`tilesight_core::evening::table`], and in a workbook the time of each entry.

use tilesight_core::evening::{Game, GameError, csv, table};

use crate::sheet::CsvStyle;
use crate::table_file::{SheetFormat, TableFile, TableFileError};

/// Error when a score sheet can't be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreSheetError {
    /// The game has no sheet.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The file can't be written.
    #[error(transparent)]
    File(#[from] TableFileError),
}

/// Returns the score sheet of a game as a file.
///
/// # Errors
/// [`ScoreSheetError`]: the rules have changed since an entry, or the file can't be written.
pub fn score_sheet(game: &Game, format: SheetFormat) -> Result<Vec<u8>, ScoreSheetError> {
    if format == SheetFormat::Csv(CsvStyle::Plain) {
        return Ok(csv(game)?.into_bytes());
    }
    let file = TableFile {
        table: &table(game)?,
        name: "deals",
        title: game.title(),
        // The time of the file is that of the last change, so that the same game is the same file.
        at: game.changes().last().map_or(0, |change| change.at),
        times: Some(entry_times(game)?),
    };
    Ok(file.write(format)?)
}

/// Returns the time of each entry, in milliseconds since 1970. The entries are the first rows of
/// the table.
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
    fn values_for_excel_are_those_of_the_plain_table() {
        let plain = score_sheet(&game(), SheetFormat::Csv(CsvStyle::Plain)).expect("a table");
        let converted = CsvStyle::Excel.convert(plain, true).expect("a table");
        let excel = score_sheet(&game(), SheetFormat::Csv(CsvStyle::Excel)).expect("a table");
        assert_eq!(excel, converted);
    }
}
