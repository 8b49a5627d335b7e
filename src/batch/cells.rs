//! Cells of tables that people edit with spreadsheets.
//!
//! Input: the bytes of a table, or one cell. Output: what separates its cells, and what a cell
//! says. Invariant: a text that was written by [`crate::spreadsheet::text`] is read as it was.

/// What is between the cells of the first row: spreadsheets write commas, semicolons or tabs.
#[must_use]
pub fn delimiter(bytes: &[u8]) -> u8 {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    [b'\t', b';'].into_iter().find(|delimiter| first.contains(delimiter)).unwrap_or(b',')
}

/// A text without the apostrophe that kept a spreadsheet from computing it.
pub(super) fn plain(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| crate::spreadsheet::text(rest) == cell).unwrap_or(cell)
}

/// Yes or no in the ways in which people tick cells; `None` for everything else.
#[must_use]
pub fn ticked(cell: &str) -> Option<bool> {
    match cell.to_ascii_lowercase().as_str() {
        "true" | "yes" | "x" | "1" => Some(true),
        "false" | "no" | "0" | "" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_were_written() {
        for text in ["=1.jpg", "+3m", "a.jpg", "'a.jpg", "'", "''=1"] {
            assert_eq!(plain(&crate::spreadsheet::text(text)), text);
        }
    }

    #[test]
    fn cells_are_ticked_in_many_ways() {
        for (cell, expected) in
            [("TRUE", Some(true)), ("x", Some(true)), ("No", Some(false)), ("maybe", None)]
        {
            assert_eq!(ticked(cell), expected, "{cell}");
        }
        assert_eq!((delimiter(b"a;b\n1,2"), delimiter(b"a\n1;2")), (b';', b','));
    }
}
