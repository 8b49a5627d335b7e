//! Journals of a folder, for `tilesight game` and `tilesight series`.
//!
//! Input: the folder, and journals by their ids or by prefixes of them. Output: journals of a kind,
//! and errors by who can fix them. Invariant: a command changes only the revision that it read; if
//! a service or another command changed the journal meanwhile, it reports that and changes nothing.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use serde::Serialize;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::evening::Meta;
use tilesight_core::explain::Lang;
use tilesight_jobs::EmbeddedStore;
use tilesight_jobs::journals::{
    Journal, JournalStore, JournalStoreError, Precondition, StoreErrorOf, Stored,
};

use crate::cli::output::{Complaint, Stop, terminal};

/// Error of a command, by who can fix it.
pub(super) enum CommandError {
    /// Fault of the request; printed on standard error.
    Problem(Problem),
    /// Failure of the machine.
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for CommandError {
    fn from(error: anyhow::Error) -> CommandError {
        CommandError::Failed(error)
    }
}

impl From<Problem> for CommandError {
    fn from(problem: Problem) -> CommandError {
        CommandError::Problem(problem)
    }
}

impl CommandError {
    /// Returns the reason to stop, in a language; faults of the hand that was typed are shown in
    /// it.
    pub(super) fn into_stop(self, lang: Lang, hand: String) -> Stop {
        match self {
            CommandError::Problem(problem) => {
                Complaint::from(problem.translate(lang)).with_hand(hand).into()
            }
            CommandError::Failed(error) => Stop::Failed(error),
        }
    }
}

/// A kind of journal, with the errors of its commands.
pub(super) trait FolderJournal: Journal {
    /// Returns the error when no folder was named.
    fn no_folder() -> CommandError;

    /// Returns the error when no id begins with the text.
    fn not_found(text: &str) -> CommandError;

    /// Returns the error when several ids begin with the text.
    fn ambiguous(text: &str) -> CommandError;

    /// Returns the error when a service or another command changed the journal meanwhile.
    fn stale() -> CommandError;

    /// Returns the error of an action that can't be applied.
    fn refuse(error: Self::Error) -> CommandError;
}

/// Opens the store of a folder.
pub(super) fn open<J: FolderJournal>(
    folder: Option<&Path>,
) -> Result<Arc<EmbeddedStore>, CommandError> {
    let folder = folder.ok_or_else(J::no_folder)?;
    let opened = EmbeddedStore::open(folder).with_context(|| folder.display().to_string())?;
    Ok(Arc::new(opened))
}

/// Returns the error of a command for the error of a store.
pub(super) fn store_error<J: FolderJournal>(error: StoreErrorOf<J>) -> CommandError {
    match error {
        JournalStoreError::Refused(error) => J::refuse(error),
        JournalStoreError::Store(error) => CommandError::Failed(error.into()),
        JournalStoreError::Stale(_) => J::stale(),
        other => Problem::new(ProblemKind::NotFound, other.to_string()).into(),
    }
}

/// Journals of a kind in a folder.
pub(super) struct FolderJournals<J: Journal>(pub(super) JournalStore<J>);

impl<J: FolderJournal> FolderJournals<J> {
    /// Stores a new journal.
    pub(super) async fn create(&self, journal: J) -> Result<Stored<J>, CommandError> {
        self.0.create(journal, None, None).await.map_err(store_error::<J>)
    }

    /// Returns a journal by its id, or by a prefix that no other id has.
    pub(super) async fn find(&self, text: &str) -> Result<Stored<J>, CommandError> {
        let ids = self.0.list().await.map_err(anyhow::Error::from)?;
        let mut begins = ids.iter().filter(|id| id.as_str().starts_with(text) && !text.is_empty());
        match (begins.next(), begins.next()) {
            (Some(id), None) => self.0.find(id.as_str(), None).await.map_err(store_error::<J>),
            (Some(_), Some(_)) => Err(J::ambiguous(text)),
            (None, _) => Err(J::not_found(text)),
        }
    }

    /// Returns all journals.
    pub(super) async fn all(&self) -> Result<Vec<Stored<J>>, CommandError> {
        let mut all = Vec::new();
        for id in self.0.list().await.map_err(anyhow::Error::from)? {
            all.push(self.0.find(id.as_str(), None).await.map_err(store_error::<J>)?);
        }
        Ok(all)
    }

    /// Applies an action to the revision that was read.
    pub(super) async fn change(
        &self,
        found: Stored<J>,
        action: J::Action,
    ) -> Result<Stored<J>, CommandError> {
        let seen = Precondition::OneOf(vec![found.revision]);
        let changed = self.0.change(found, seen, meta(), action).await;
        changed.map(|(found, _)| found).map_err(store_error::<J>)
    }

    /// Gives journals to the holder of a key, by default all without an owner, and returns them.
    pub(super) async fn give(
        &self,
        to: &str,
        ids: &[String],
    ) -> Result<Vec<Stored<J>>, CommandError> {
        let mut found = Vec::new();
        for id in ids {
            found.push(self.find(id).await?);
        }
        if ids.is_empty() {
            found = self.all().await?;
            found.retain(|one| one.document.owner.is_none());
        }
        let mut given = Vec::new();
        for one in found {
            given.push(self.0.transfer(one, to).await.map_err(store_error::<J>)?);
        }
        Ok(given)
    }

    /// Deletes a journal and its history.
    pub(super) async fn delete(&self, text: &str) -> Result<(), CommandError> {
        let found = self.find(text).await?;
        Ok(self.0.remove(&found).await.map_err(anyhow::Error::from)?)
    }
}

fn meta() -> Meta {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Meta { at: u64::try_from(since.as_millis()).unwrap_or(u64::MAX), ..Meta::default() }
}

/// Prints a value as JSON.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), CommandError> {
    let json = serde_json::to_string_pretty(value).context("the answer is no JSON")?;
    print((json + "\n").as_bytes())
}

/// Prints a text with foreign characters escaped.
pub(super) fn print(text: &[u8]) -> Result<(), CommandError> {
    Ok(terminal::stdout().write_all(text).context("standard output")?)
}

/// Prints a file as it is.
pub(super) fn print_file(bytes: &[u8]) -> Result<(), CommandError> {
    Ok(terminal::data().write_all(bytes).context("standard output")?)
}
