//! Reading of a table, photo by photo.
//!
//! Input: a plan whose photos are in memory. Output: readings, and the settled table once all
//! photos are read. The caller decides when the next photo is read, so that work of others can come
//! between; a front end that has nothing else to do calls [`TableReader::read_all`].

use tilesight_core::contract::{HandField, Problem};

use crate::contract::TablePlan;
use crate::{ReadError, Reader, Reading, SeenPhoto, TableReading};

/// A table whose photos are read one after another.
#[derive(Debug)]
pub struct TableReader<P> {
    /// The plan, of whose hands `readings` have been read.
    plan: TablePlan<P>,
    /// Photos of the next hand that were looked at.
    seen: Vec<SeenPhoto>,
    /// Readings of the winner, then of the other players.
    readings: Vec<Reading>,
}

/// Error when a photo of a table can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct TablePhotoError {
    /// Place of the photo in the request; absent if it is the only one.
    pub place: Option<HandField>,
    /// The error.
    #[source]
    pub error: ReadError,
}

impl From<&TablePhotoError> for Problem {
    fn from(error: &TablePhotoError) -> Problem {
        Problem::from(&error.error).about_photo(error.place)
    }
}

impl<P> TableReader<P> {
    /// Begins with the first photo of a plan.
    #[must_use]
    pub fn new(plan: TablePlan<P>) -> TableReader<P> {
        TableReader { plan, seen: Vec::new(), readings: Vec::new() }
    }

    /// Returns the photo that is read next.
    #[must_use]
    pub fn next_photo(&self) -> Option<&P> {
        self.plan.hand(self.readings.len())?.photos.get(self.seen.len())
    }

    /// Returns the readings so far: of the winner, then of the other players.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Settles the table; `None` if the winner's hand is not read yet. Hands of others that are not
    /// read yet are left out.
    #[must_use]
    pub fn settle(self) -> Option<TableReading> {
        let mut readings = self.readings.into_iter();
        let winner = readings.next()?;
        Some(TableReading::settle(self.plan.ruleset, winner, readings.collect(), self.plan.typed))
    }
}

impl<P: AsRef<[u8]>> TableReader<P> {
    /// Reads the next photo. Returns the reading of its hand once all photos of the hand were
    /// looked at.
    ///
    /// # Errors
    /// [`TablePhotoError`]; the photo stays the next one.
    pub fn read_next(&mut self, reader: &Reader) -> Result<Option<&Reading>, TablePhotoError> {
        let Some(hand) = self.plan.hand(self.readings.len()) else { return Ok(None) };
        let at = self.seen.len();
        let photo = hand.photos[at].as_ref();
        let place = hand.place_of(at);
        let seen = reader.see_one_of(photo, at, &hand.context, &hand.options);
        self.seen.push(seen.map_err(|error| TablePhotoError { place, error })?);
        if self.seen.len() < hand.photos.len() {
            return Ok(None);
        }
        let seen = std::mem::take(&mut self.seen);
        let reading = reader.read_seen(seen, &hand.context, hand.options.clone());
        let place = hand.place;
        self.readings.push(reading.map_err(|error| TablePhotoError { place, error })?);
        Ok(self.readings.last())
    }

    /// Reads all photos that are left.
    ///
    /// # Errors
    /// [`TablePhotoError`] for the first photo that can't be read.
    pub fn read_all(&mut self, reader: &Reader) -> Result<(), TablePhotoError> {
        while self.next_photo().is_some() {
            self.read_next(reader)?;
        }
        Ok(())
    }
}
