//! Storage of series: the [journals](crate::journals) of leagues and tournaments.

use tilesight_core::evening::{Game, GameError, Meta};
use tilesight_core::rules::{Book, UnknownRuleset};
use tilesight_core::series::{
    CollectedTable, ResultRow, ResultTable, Series, SeriesAction, SeriesError, SeriesRecord,
    SeriesView, collect,
};

use crate::Name;
use crate::evenings::{EveningStore, EveningStoreError};
use crate::journals::{Journal, JournalNames, JournalStore, JournalStoreError, Stored};
use crate::sheet::{Sheet, SheetError};

/// Store of series.
pub type SeriesStore = JournalStore<Series>;
/// A series and its place in the store.
pub type StoredSeries = Stored<Series>;
/// Error when a series can't be shown or changed.
pub type SeriesStoreError = JournalStoreError<SeriesError>;

impl Journal for Series {
    const NAMES: JournalNames = JournalNames { kind: "series", several: "series" };

    type Record = SeriesRecord;
    type Action = SeriesAction;
    type Error = SeriesError;

    fn open(record: SeriesRecord, book: &Book) -> Result<Series, UnknownRuleset> {
        record.open(book)
    }

    fn apply(&mut self, meta: Meta, action: SeriesAction) -> Result<bool, SeriesError> {
        Series::apply(self, meta, action)
    }

    fn knows(&self, key: &str) -> bool {
        Series::knows(self, key)
    }

    fn began_like(&self, other: &Series) -> bool {
        Series::began_like(self, other)
    }

    fn key_reused() -> SeriesError {
        GameError::KeyReused.into()
    }
}

impl From<SeriesError> for SeriesStoreError {
    fn from(error: SeriesError) -> SeriesStoreError {
        JournalStoreError::Refused(error)
    }
}

impl From<EveningStoreError> for SeriesStoreError {
    fn from(error: EveningStoreError) -> SeriesStoreError {
        match error {
            JournalStoreError::Missing(what) => JournalStoreError::Missing(what),
            JournalStoreError::Full { max, names } => JournalStoreError::Full { max, names },
            JournalStoreError::FullForOne { max, names } => {
                JournalStoreError::FullForOne { max, names }
            }
            JournalStoreError::Stale(what) => JournalStoreError::Stale(what),
            JournalStoreError::Refused(error) => JournalStoreError::Refused(error.into()),
            JournalStoreError::Store(error) => JournalStoreError::Store(error),
        }
    }
}

impl StoredSeries {
    /// Returns the series as its organisers see it, with the standings after a round.
    ///
    /// # Errors
    /// [`SeriesError`] if the rules have changed since, or there is no such round.
    pub fn view(&self, after: Option<u32>) -> Result<SeriesView, SeriesError> {
        let series = &self.document.journal;
        let share = self.share.clone();
        SeriesView::for_organisers(series, self.id.as_str(), self.revision.0, share, after)
    }

    /// Returns the series as viewers see it, with the standings after a round.
    ///
    /// # Errors
    /// [`SeriesError`] if the rules have changed since, or there is no such round.
    pub fn view_of_onlookers(&self, after: Option<u32>) -> Result<SeriesView, SeriesError> {
        SeriesView::for_onlookers(&self.document.journal, self.revision.0, after)
    }

    /// Returns whether an action with this key was applied already.
    #[must_use]
    pub fn knows(&self, key: Option<&str>) -> bool {
        key.is_some_and(|key| self.document.journal.knows(key))
    }
}

/// Client on whose behalf evenings of a series are opened and read.
#[derive(Debug, Clone, Copy)]
pub struct Organiser<'a> {
    /// Key of the client; it owns the evenings.
    pub owner: Option<&'a str>,
    /// Address of the client, by which evenings without an owner are counted.
    pub address: Option<&'a str>,
}

impl EveningStore {
    /// Completes an action that needs evenings: opens the game of a table, or takes the results of
    /// those that are over. Another action is returned as it is.
    ///
    /// # Errors
    /// [`SeriesStoreError`]: of the store of games, and of tables that do not exist.
    pub async fn complete(
        &self,
        found: &StoredSeries,
        action: SeriesAction,
        by: Organiser<'_>,
    ) -> Result<SeriesAction, SeriesStoreError> {
        match action {
            SeriesAction::Open { round, table, game } => {
                let series = &found.document.journal;
                let game = match game {
                    Some(id) => {
                        let game = self.find(&id, by.owner).await?;
                        series.check_evening(round, table, &game.document.journal)?;
                        game.id
                    }
                    None => self.open_table(series, [round, table], by).await?,
                };
                Ok(SeriesAction::Open { round, table, game: Some(game.to_string()) })
            }
            SeriesAction::Collect { round, table, .. } => {
                let collected = self.collect(found, round, table, by.owner).await?;
                Ok(SeriesAction::Collect { round, table, collected })
            }
            other => Ok(other),
        }
    }

    /// Returns the game of a table, by the numbers of its round and the table; creates it if the
    /// table has none that is still there.
    async fn open_table(
        &self,
        series: &Series,
        [round, table]: [u32; 2],
        by: Organiser<'_>,
    ) -> Result<Name, SeriesStoreError> {
        if let Some(id) = series.game_of(round, table)? {
            match self.find(&id, by.owner).await {
                Err(JournalStoreError::Missing(_)) => {}
                found => return Ok(found?.id),
            }
        }
        let game = game_of_table(series, round, table)?;
        let owner = by.owner.map(str::to_owned);
        Ok(self.create(game, owner, by.address).await?.id)
    }

    /// Returns the results of the evenings of a round that are over.
    async fn collect(
        &self,
        found: &StoredSeries,
        round: u32,
        table: Option<u32>,
        owner: Option<&str>,
    ) -> Result<Vec<CollectedTable>, SeriesStoreError> {
        let progress = found.document.journal.progress()?;
        let at = (round as usize).checked_sub(1);
        let seated = at.and_then(|at| progress.rounds.get(at));
        let tables = &seated.ok_or(SeriesError::NoRound(round))?.tables;
        let mut collected = Vec::new();
        for (number, one) in (1..).zip(tables) {
            let Some(game) = one.game.as_ref().filter(|_| table.is_none_or(|only| only == number))
            else {
                continue;
            };
            let game = match self.find(game, owner).await {
                // The evening was deleted, or has expired.
                Err(JournalStoreError::Missing(_)) => continue,
                found => found?.document.journal,
            };
            let result = self.compute(move || collect(number, &game)).await?;
            collected.extend(result.map_err(SeriesError::from)?);
        }
        if collected.is_empty() {
            return Err(SeriesError::NothingToCollect.into());
        }
        Ok(collected)
    }
}

/// Returns the game of a table before its first deal.
fn game_of_table(series: &Series, round: u32, table: u32) -> Result<Game, SeriesError> {
    let (title, players) = series.evening_of(round, table)?;
    Ok(Game::new(title, players, series.ruleset().clone())?)
}

/// Reads a table of results as a spreadsheet writes it.
///
/// # Errors
/// [`SheetError`] when it is no table.
pub fn read_table(bytes: &[u8]) -> Result<ResultTable, SheetError> {
    let Sheet { columns, rows, .. } = Sheet::read(bytes)?;
    let rows = rows.into_iter().map(|row| ResultRow { line: row.line, cells: row.cells });
    Ok(ResultTable { columns, rows: rows.collect() })
}
