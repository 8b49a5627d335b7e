//! A table of a series as a file for spreadsheets.
//!
//! Input: a series, and the table to write. Output: the bytes of a file, the same for the same
//! series. Invariant: the columns are those of [`SeriesTableKind::table`], and in a workbook of
//! results the time of each.

use std::collections::HashMap;

use tilesight_core::evening::{Cell, SheetTable};
use tilesight_core::series::{Series, SeriesError, SeriesTableKind};

use crate::table_file::{SheetFormat, TableFile, TableFileError};

/// Error when a table of a series can't be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesTableError {
    /// The series has no progress, or no such round.
    #[error(transparent)]
    Series(#[from] SeriesError),
    /// The file can't be written.
    #[error(transparent)]
    File(#[from] TableFileError),
}

/// Returns a table of a series as a file; standings are those after a round, or after the last one
/// that has a result.
///
/// # Errors
/// [`SeriesTableError`]: a change does not follow those before it, there is no such round, or the
/// file can't be written.
pub fn series_table(
    series: &Series,
    kind: SeriesTableKind,
    round: Option<u32>,
    format: SheetFormat,
) -> Result<Vec<u8>, SeriesTableError> {
    let progress = series.progress()?;
    let table = kind.table(&progress, round)?;
    let times = match kind {
        SeriesTableKind::Results => Some(row_times(&table, &series.result_times())),
        SeriesTableKind::Standings => None,
    };
    let file = TableFile {
        table: &table,
        name: kind.name(),
        title: &progress.title,
        at: series.changes().last().map_or(0, |change| change.at),
        times,
    };
    Ok(file.write(format)?)
}

/// Returns the time of the result in each row.
fn row_times(table: &SheetTable, times: &HashMap<(u32, u32), u64>) -> Vec<Option<u64>> {
    let of_rows = table.rows.iter().map(|row| {
        let [Cell::Number(round), Cell::Number(number), ..] = row.as_slice() else { return None };
        let place = (u32::try_from(*round).ok()?, u32::try_from(*number).ok()?);
        times.get(&place).copied()
    });
    of_rows.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tilesight_core::evening::Meta;
    use tilesight_core::rules::{Book, RulesetId};
    use tilesight_core::series::{FixedScore, NewSeriesDto, SeriesAction, SeriesPlayer};

    use super::*;
    use crate::sheet::CsvStyle;
    use crate::workbook::tests::part;

    /// 2026-11-30 20:15:30 in milliseconds since 1970.
    const AT: u64 = 1_796_069_730_000;

    /// Returns a series of which the first round was played, and the first two players share
    /// places.
    fn series() -> Series {
        let names = ["=1+1", "Bo & <Co>", "شريف", "🀄"].map(str::to_owned);
        let new = NewSeriesDto {
            title: "Liga".to_owned(),
            ruleset: None,
            players: names.to_vec(),
            rounds: 2,
            ranking: serde_json::from_str(r#"{"best":1}"#).expect("a ranking"),
        };
        let ruleset = Arc::clone(Book::shipped().get(RulesetId::MCR_WMO).expect("a rule set"));
        let mut series = new.begin_by(ruleset).expect("a series");
        let [first, ..] = [0, 1, 2, 3].map(SeriesPlayer::from_index);
        let value = FixedScore { table_points: -1, points: -5 };
        let penalty = SeriesAction::Penalty { player: first, round: None, value, note: None };
        for round in [1, 2] {
            let chairs = (0..4).map(SeriesPlayer::from_index);
            let chairs = chairs.map(tilesight_core::series::Chair::for_player).collect();
            let seat = SeriesAction::Seat {
                round: Some(round),
                seed: None,
                absent: Vec::new(),
                guests: Vec::new(),
                tables: vec![chairs],
            };
            let points = vec![8 * round as i32, 8, -8, -8 * round as i32];
            let result = SeriesAction::Result { round, table: 1, points };
            for action in [seat, result] {
                let meta = Meta { at: AT, by: None, key: None };
                series.apply(meta, action).expect("a change");
            }
        }
        series.apply(Meta { at: AT, by: None, key: None }, penalty).expect("a change");
        series
    }

    fn written(kind: SeriesTableKind, format: SheetFormat) -> Vec<u8> {
        series_table(&series(), kind, None, format).expect("a file")
    }

    #[test]
    fn numbers_and_times_of_a_workbook_are_what_they_are() {
        let standings = written(SeriesTableKind::Standings, SheetFormat::Workbook);
        let sheet = part(&standings, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<f>"), "{sheet}");
        // Two players share the table points of the first round, which does not count.
        assert!(sheet.contains("<v>-5</v>") && sheet.contains("<v>3</v>"), "{sheet}");
        assert!(part(&standings, "xl/styles.xml").contains("(&quot;General"));
        let texts = part(&standings, "xl/sharedStrings.xml");
        for text in ["<t>=1+1</t>", "<t>Bo &amp; &lt;Co&gt;</t>", "<t>شريف</t>", "<t>🀄</t>"]
        {
            assert!(texts.contains(text), "{text}: {texts}");
        }
        let results = written(SeriesTableKind::Results, SheetFormat::Workbook);
        let sheet = part(&results, "xl/worksheets/sheet1.xml");
        assert!(sheet.contains("<v>46356.84409722222</v>"), "{sheet}");
        assert_eq!(results, written(SeriesTableKind::Results, SheetFormat::Workbook));
    }

    #[test]
    fn values_for_excel_have_decimal_commas() {
        let excel = written(SeriesTableKind::Standings, SheetFormat::Csv(CsvStyle::Excel));
        let text = String::from_utf8(excel).expect("UTF-8");
        assert!(text.contains("'=1+1;2;3;"), "{text}");
        assert!(text.contains(";(3);4") && text.contains(";(0,5);"), "{text}");
    }
}
