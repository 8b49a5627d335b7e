//! Scoring in the call style of the package `PyMahjongGB`, whose users need change an import alone.
//!
//! Input: its tuples of tiles and melds, and its flags. Output: its tuples of fans.

use std::fmt::Write as _;
use std::sync::LazyLock;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyTuple;
use tilesight_core::contract::{HandInput, PreparedHand, ScoreRequest};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Award, Book};

/// Letters of the winds in notation, in the package's order.
const WINDS: [char; 4] = ['E', 'S', 'W', 'N'];

/// Letters of the dragons in notation, in the package's order.
const DRAGONS: [char; 3] = ['C', 'F', 'P'];

/// The shipped rule sets, among them the default.
static BOOK: LazyLock<Book> = LazyLock::new(Book::shipped);

/// Maximum number of tiles or melds of a call; a hand has 14 and 4.
const MAX_PARTS: usize = 18;

/// Returns the fans of a winning hand, as `PyMahjongGB.MahjongFanCalculator` does.
#[pyfunction]
#[pyo3(signature = (pack, hand, winTile, flowerCount, isSelfDrawn, is4thTile, isAboutKong, isWallLast, seatWind, prevalentWind, verbose = false))]
#[expect(non_snake_case, reason = "the names of the package's arguments")]
#[expect(clippy::too_many_arguments, reason = "the package's arguments")]
#[expect(clippy::fn_params_excessive_bools, reason = "the package's arguments")]
pub(crate) fn mahjong_fan_calculator<'py>(
    py: Python<'py>,
    pack: Vec<(PyBackedStr, PyBackedStr, u8)>,
    hand: Vec<PyBackedStr>,
    winTile: &str,
    flowerCount: u8,
    isSelfDrawn: bool,
    is4thTile: bool,
    isAboutKong: bool,
    isWallLast: bool,
    seatWind: usize,
    prevalentWind: usize,
    verbose: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    if pack.len().max(hand.len()) > MAX_PARTS {
        return Err(PyTypeError::new_err("ERROR_NOT_WIN"));
    }
    let wind = |seat: usize| {
        WINDS.get(seat).ok_or_else(|| PyTypeError::new_err(format!("no wind {seat}")))
    };
    let mut text = String::with_capacity(96);
    for (kind, tile, offer) in &pack {
        write_meld(&mut text, kind, tile, *offer)?;
    }
    for tile in &hand {
        write_tile(&mut text, tile)?;
    }
    text.push('+');
    write_tile(&mut text, winTile)?;
    let flag = |is: bool| if is { '1' } else { '0' };
    let (prevalent, seat) = (wind(prevalentWind)?, wind(seatWind)?);
    let flags = [isSelfDrawn, is4thTile, isWallLast, isAboutKong].map(flag);
    let flags = String::from_iter(flags);
    // Writing to a `String` never fails.
    let _ = write!(text, "|{prevalent}{seat}{flags}|{flowerCount}");
    let scored = score(text).map_err(PyTypeError::new_err)?;
    let fans = scored.iter().map(|award| fan(py, award, verbose));
    PyTuple::new(py, fans.collect::<PyResult<Vec<_>>>()?)
}

fn score(notation: String) -> Result<Vec<Award>, String> {
    let request = ScoreRequest::from(HandInput::Notation(notation));
    let prepared = request.prepare(&BOOK).map_err(|problem| problem.to_string())?;
    let PreparedHand { ruleset, hand, context, .. } = prepared;
    Ok(ruleset.score(&hand, &context).map_err(|error| error.to_string())?.awards)
}

fn fan<'py>(py: Python<'py>, award: &Award, verbose: bool) -> PyResult<Bound<'py, PyTuple>> {
    let (points, count) = (award.worth.points(), award.count);
    let name = award.rule.name(Lang::Zh);
    if verbose {
        (points, count, name, award.rule.name(Lang::En)).into_pyobject(py)
    } else {
        (points * count, name).into_pyobject(py)
    }
}

fn write_meld(text: &mut String, kind: &str, tile: &str, offer: u8) -> PyResult<()> {
    let mut name = String::with_capacity(2);
    write_tile(&mut name, tile)?;
    let tiles = match (kind, name.as_bytes()) {
        ("CHI", &[number @ b'2'..=b'8', suit]) => {
            let digits = [number - 1, number, number + 1].map(char::from);
            format!("{}{}", String::from_iter(digits), char::from(suit))
        }
        ("PENG", _) => name.repeat(3),
        ("GANG", _) => name.repeat(4),
        _ => return Err(PyTypeError::new_err(format!("no meld ({kind:?}, {tile:?}, {offer})"))),
    };
    // An exposed meld has a source from 1 on.
    let mark = match (kind, offer) {
        ("GANG", 0..=3) | (_, 1..=3) => format!(",{offer}"),
        (_, 0) => String::new(),
        _ => return Err(PyTypeError::new_err(format!("no source {offer} of a meld"))),
    };
    let _ = write!(text, "[{tiles}{mark}]");
    Ok(())
}

/// Writes a tile in notation.
fn write_tile(text: &mut String, tile: &str) -> PyResult<()> {
    let unknown = || PyTypeError::new_err(format!("no tile {tile:?}"));
    let &[kind, digit @ b'1'..=b'9'] = tile.as_bytes() else { return Err(unknown()) };
    let index = usize::from(digit - b'1');
    let suit = match kind {
        b'W' => 'm',
        b'B' => 'p',
        b'T' => 's',
        b'F' => {
            text.push(*WINDS.get(index).ok_or_else(unknown)?);
            return Ok(());
        }
        b'J' => {
            text.push(*DRAGONS.get(index).ok_or_else(unknown)?);
            return Ok(());
        }
        _ => return Err(unknown()),
    };
    text.push(char::from(digit));
    text.push(suit);
    Ok(())
}
