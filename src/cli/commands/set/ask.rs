//! Questions about the tiles of a sheet, on the terminal.
//!
//! Input: a sheet with open names, and the answers, line by line. Output: the sheet with all names.
//! An empty answer takes the proposal, a name replaces it, `-` leaves the tile out. Invariant: an
//! answer that is no name is asked for again; at the end of the input, open tiles stay open.

use std::io::{self, BufRead, Write};

use tilesight_vision::sets::{FaceLabel, SetSheet};

/// Asks about every open tile. Returns whether all were answered.
pub(super) fn ask(
    sheet: &mut SetSheet,
    answers: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<bool> {
    for (row, place) in sheet.open() {
        let proposal = sheet.rows()[row][place].label.clone();
        loop {
            let shown = proposal.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
            write!(out, "row {}, tile {} [{shown}]: ", row + 1, place + 1)?;
            out.flush()?;
            let mut line = String::new();
            if answers.read_line(&mut line)? == 0 {
                writeln!(out)?;
                return Ok(false);
            }
            let label: Option<FaceLabel> = match line.trim() {
                "" => proposal.clone(),
                "-" => None,
                word => match word.parse() {
                    Ok(label) => Some(label),
                    Err(error) => {
                        writeln!(out, "{error}")?;
                        continue;
                    }
                },
            };
            sheet.name(row, place, label);
            break;
        }
    }
    Ok(true)
}
