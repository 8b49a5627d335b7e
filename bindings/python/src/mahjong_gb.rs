//! Scoring in the call style of the package `PyMahjongGB`, whose users need change an import alone.
//!
//! Input: its tuples of tiles and melds, and its flags. Output: its tuples of fans.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PySequence, PyString, PyTuple};
use tilesight_core::context::{Context, WinSource};
use tilesight_core::contract::{Problem, ProblemKind, hand_faults};
use tilesight_core::explain::Lang;
use tilesight_core::hand::{Flowers, Hand, HandError, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::rules::mcr::{Fan, WMO};
use tilesight_core::tile::{Tile, Wind};

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
    pack: &Bound<'py, PyAny>,
    hand: &Bound<'py, PyAny>,
    winTile: &Bound<'py, PyString>,
    flowerCount: u8,
    isSelfDrawn: bool,
    is4thTile: bool,
    isAboutKong: bool,
    isWallLast: bool,
    seatWind: usize,
    prevalentWind: usize,
    verbose: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let melds = Parts::read(pack, Meld::Pung { tile: Tile::ALL[0], from: None }, meld)?;
    let concealed = Parts::read(hand, Tile::ALL[0], tile)?;
    let winning = tile(winTile)?;
    let flowers = Flowers::from_unnamed_count(flowerCount).map_err(refusal)?;
    let from = Relation::Left;
    let context = Context {
        seat: wind(seatWind)?,
        prevalent: wind(prevalentWind)?,
        win: match (isSelfDrawn, isAboutKong) {
            (true, false) => WinSource::SelfDrawn,
            (true, true) => WinSource::KongReplacement,
            (false, false) => WinSource::Discard { from },
            (false, true) => WinSource::RobbedKong { from },
        },
        last_of_kind: is4thTile,
        last_wall_tile: isWallLast,
        ..Context::PLAIN
    };
    let melds = melds.as_slice();
    let concealed = concealed.as_slice();
    let Some(hand) = Hand::new(concealed, winning, melds, flowers) else {
        return Err(faults(concealed, winning, melds));
    };
    let fans = WMO.fans(&hand, &context).map_err(refusal)?;
    if verbose {
        let lines = fans.iter().map(|(fan, count)| {
            let (chinese, english) = names(fan);
            (WMO.points_of(fan), count, chinese, english)
        });
        return PyTuple::new(py, lines);
    }
    let lines = LINES.get_or_try_init(py, || lines(py))?;
    PyTuple::new(py, fans.iter().map(|(fan, count)| &lines[fan as usize][count as usize]))
}

/// Returns the exception for tiles that are no hand.
#[cold]
fn faults(concealed: &[Tile], winning: Tile, melds: &[Meld]) -> PyErr {
    let setup = HandSetup {
        concealed: concealed.into(),
        winning: Some(winning),
        melds: melds.into(),
        ..HandSetup::default()
    };
    let error = HandError { faults: setup.faults(), setup };
    refusal(Problem::with_errors(ProblemKind::InvalidHand, hand_faults(&error)))
}

/// Returns the exception of the package, which is the same for all faults.
fn refusal(fault: impl std::fmt::Display) -> PyErr {
    PyTypeError::new_err(fault.to_string())
}

/// Tiles or melds of a call.
struct Parts<T> {
    all: [T; MAX_PARTS],
    count: usize,
}

impl<T: Copy> Parts<T> {
    /// Reads a tuple, or another sequence. `filler` stands behind the parts.
    fn read(
        parts: &Bound<'_, PyAny>,
        filler: T,
        read: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> PyResult<Parts<T>> {
        let sequence;
        let tuple = match parts.cast::<PyTuple>() {
            Ok(tuple) => tuple,
            Err(_) => {
                let parts = parts.cast::<PySequence>()?;
                // A tuple of it would have its length.
                if parts.len()? > MAX_PARTS {
                    return Err(refusal("ERROR_NOT_WIN"));
                }
                sequence = parts.to_tuple()?;
                &sequence
            }
        };
        if tuple.len() > MAX_PARTS {
            return Err(refusal("ERROR_NOT_WIN"));
        }
        let mut list = Parts { all: [filler; MAX_PARTS], count: 0 };
        for (place, part) in list.all.iter_mut().zip(tuple.iter_borrowed()) {
            *place = read(&part)?;
            list.count += 1;
        }
        Ok(list)
    }

    fn as_slice(&self) -> &[T] {
        &self.all[..self.count]
    }
}

/// Returns an object as a text; nearly always it is one, and of no class of its own.
#[inline]
fn text<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, PyString>> {
    match object.cast_exact::<PyString>() {
        Ok(text) => Ok(text),
        Err(_) => Ok(object.cast::<PyString>()?),
    }
}

fn wind(seat: usize) -> PyResult<Wind> {
    Wind::ALL.get(seat).copied().ok_or_else(|| refusal(format!("no wind {seat}")))
}

fn meld(meld: &Bound<'_, PyAny>) -> PyResult<Meld> {
    let (kind, middle, offer) = meld_parts(meld).ok_or_else(|| no_meld(meld))?;
    let kind = text(&kind).map_err(|_| no_meld(meld))?;
    let middle = text(&middle).map_err(|_| no_meld(meld))?;
    let kind = kind.to_str()?;
    let tile = tile(middle)?;
    // An exposed meld has a source from 1 on.
    let from = Relation::ALL.get(offer.wrapping_sub(1)).copied();
    if from.is_none() && offer != 0 {
        return Err(refusal(format!("no source {offer} of a meld")));
    }
    match (kind, from) {
        ("CHI", _) => {
            let low = tile.index().checked_sub(1).and_then(|low| Tile::from_index(low as u8));
            low.and_then(Chow::new).map(Meld::Chow).ok_or_else(|| no_meld(meld))
        }
        ("PENG", from) => Ok(Meld::Pung { tile, from }),
        ("GANG", None) => Ok(Meld::Kong { tile, kind: KongKind::Concealed }),
        ("GANG", from) => Ok(Meld::Kong { tile, kind: KongKind::Exposed { from } }),
        _ => Err(no_meld(meld)),
    }
}

/// Takes a meld apart: its kind, its middle tile, and the number of its source.
fn meld_parts<'a, 'py>(
    meld: &'a Bound<'py, PyAny>,
) -> Option<(Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>, usize)> {
    let parts = meld.cast::<PyTuple>().ok().filter(|parts| parts.len() == 3)?;
    let [kind, middle, offer] = [0, 1, 2].map(|at| parts.get_borrowed_item(at).ok());
    Some((kind?, middle?, offer?.extract::<usize>().ok()?))
}

#[cold]
fn no_meld(meld: &Bound<'_, PyAny>) -> PyErr {
    refusal(format!("no meld {meld}"))
}

/// Reads a tile: `W`, `B` or `T` with a number, `F1` to `F4` for a wind, `J1` to `J3` for a dragon.
///
/// Called for each tile of a hand, so that what is no tile is left to another function.
#[inline]
fn tile(code: &Bound<'_, PyAny>) -> PyResult<Tile> {
    let known = text(code).ok().and_then(|code| known_tile(code.to_str().ok()?));
    known.ok_or_else(|| no_tile(code))
}

#[cold]
fn no_tile(code: &Bound<'_, PyAny>) -> PyErr {
    match text(code).and_then(|code| code.to_str()) {
        Ok(code) => refusal(format!("no tile {code:?}")),
        Err(error) => error,
    }
}

#[inline]
fn known_tile(code: &str) -> Option<Tile> {
    match *code.as_bytes() {
        [kind, digit @ b'1'..=b'9'] => {
            // A table without branches, which would be hard to predict: the first tile of each kind
            // and the number of tiles.
            let (first, tiles) = match kind {
                b'W' => (0, 9),
                b'B' => (9, 9),
                b'T' => (18, 9),
                b'F' => (27, 4),
                b'J' => (31, 3),
                _ => (0, 0),
            };
            let at = digit - b'1';
            if at < tiles { Tile::from_index(first + at) } else { None }
        }
        _ => None,
    }
}

/// Maximum number of times that a fan counts: eight flowers.
const MAX_COUNT: u32 = 8;

/// Points and Chinese name of each fan, by the number of times that it counts. Tuples do not
/// change, so all results share them.
static LINES: PyOnceLock<Vec<Vec<Py<PyTuple>>>> = PyOnceLock::new();

fn lines(py: Python<'_>) -> PyResult<Vec<Vec<Py<PyTuple>>>> {
    Fan::ALL.into_iter().map(|fan| lines_of(fan, py)).collect()
}

fn lines_of(fan: Fan, py: Python<'_>) -> PyResult<Vec<Py<PyTuple>>> {
    let mut lines = Vec::new();
    for count in 0..=MAX_COUNT {
        let line = (WMO.points_of(fan) * count, names(fan).0).into_pyobject(py)?;
        lines.push(line.unbind());
    }
    Ok(lines)
}

/// Returns the Chinese and the English name that the package has for a fan.
fn names(fan: Fan) -> (&'static str, &'static str) {
    let chinese = fan.rule().name(Lang::Zh);
    let english = fan.rule().name(Lang::En);
    match fan {
        Fan::EdgeWait => ("独听・边张", english),
        Fan::ClosedWait => ("独听・嵌张", english),
        Fan::SingleWait => ("独听・单钓", english),
        Fan::AllFives => (chinese, "All Five"),
        Fan::TwoDragonPungs => (chinese, "Two Dragons Pungs"),
        Fan::RobbingTheKong => (chinese, "Robbing The Kong"),
        Fan::MeldedAndConcealedKong => (chinese, "Concealed Kong and Melded Kong"),
        _ => (chinese, english),
    }
}
