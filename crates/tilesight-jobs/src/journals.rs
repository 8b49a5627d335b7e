//! Storage of journals, such as games and series, as documents of the store that jobs use too.
//!
//! A [`JournalStore`] creates, loads and changes the journals of one kind; the service and the
//! command share it. Input: ids, actions, and the revision that the author has seen. Output: the
//! current journal. Invariants: concurrent writers never overwrite each other, because a change is
//! only applied to the revision that its author saw; an action with a key is applied once, however
//! often its answer is lost; the token of a link shows its journal, can change nothing, and is not
//! stored; CPU-bound work runs outside the async threads, with at most as many tasks at once as
//! there are processors.

mod census;
mod creation;
mod document;
mod index;
mod limits;
mod links;
mod page;
mod sweep;
mod watch;

use std::collections::HashSet;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use tokio::sync::{Mutex, Semaphore};
use tokio::task::spawn_blocking;

use self::census::{Census, TooMany};
use self::creation::CreationKeys;
pub use self::document::JournalDocument;
pub(crate) use self::index::last_change;
use self::index::{IndexRow, JournalIndex};
pub use self::limits::JournalLimits;
pub use self::links::LinkKey;
use self::links::hash_of;
pub use self::page::{JournalCursor, JournalCursorError, JournalPage};
pub use self::watch::Observation;
use self::watch::Watchers;
use crate::random;
use crate::{Documents, Name, Revision, StoreError, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tilesight_core::evening::Meta;
use tilesight_core::plural::format_count;
use tilesight_core::rules::{Book, UnknownRuleset};

/// Error of a store of journals of a kind.
pub type StoreErrorOf<J> = JournalStoreError<<J as Journal>::Error>;

/// Number of attempts to write when another writer interferes between reading and writing. After
/// these, the store counts as broken.
const MAX_ATTEMPTS: usize = 8;

/// Maximum number of valid links of a journal. There is one link for each key that made one,
/// including keys of a service that was restarted without a configured key. A further link replaces
/// the oldest.
const MAX_LINKS: usize = 16;
/// Maximum size in bytes of a document that is parsed inline. Parsing a larger one takes a
/// millisecond or more.
const MAX_INLINE: usize = 64 * 1024;

/// A journal that is stored: what it is called, and how it is changed.
pub trait Journal: fmt::Debug + Clone + PartialEq + Serialize + Send + Sync + 'static {
    /// Names of this kind of journal.
    const NAMES: JournalNames;

    /// Stored form, before its rule set is looked up.
    type Record: DeserializeOwned;
    /// An action on the journal.
    type Action: Clone + Send + 'static;
    /// Error when an action can't be applied.
    type Error: std::error::Error + Clone + PartialEq + Send + 'static;

    /// Returns the journal of a stored form.
    ///
    /// # Errors
    /// [`UnknownRuleset`] if its rule set is no longer in the book.
    fn open(record: Self::Record, book: &Book) -> Result<Self, UnknownRuleset>;

    /// Applies an action. The same action with the same key is applied once; the repetition returns
    /// `false`.
    ///
    /// # Errors
    /// The reason why it can't be applied; the journal stays unchanged.
    fn apply(&mut self, meta: Meta, action: Self::Action) -> Result<bool, Self::Error>;

    /// Returns whether an action was applied with this key.
    #[must_use]
    fn knows(&self, key: &str) -> bool;

    /// Returns whether another journal began in the same way.
    #[must_use]
    fn began_like(&self, other: &Self) -> bool;

    /// Returns the error of a key that was used for something else.
    #[must_use]
    fn key_reused() -> Self::Error;
}

/// Names of a kind of journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalNames {
    /// Kind of the documents, and the beginning of the kinds of what is stored beside them; also
    /// the field of the document that holds the journal.
    pub kind: &'static str,
    /// Name of several, for messages.
    pub several: &'static str,
}

impl JournalNames {
    /// Returns the kind of documents that are stored beside the journals.
    fn kind_of(self, part: &str) -> Name {
        format!("{}-{part}", self.kind).parse().expect("a name")
    }
}

/// Store of journals of a kind.
#[derive(Debug)]
pub struct JournalStore<J: Journal> {
    documents: Arc<dyn Documents>,
    book: Arc<Book>,
    /// Limits on the number and lifetime of journals. Without limits, the number is bounded only by
    /// space, and journals never expire.
    limits: Option<JournalLimits>,
    link_key: OnceLock<LinkKey>,
    /// Census of the journals, made when the first one is created.
    census: Mutex<Option<Census>>,
    watched: Watchers<J>,
    processors: Arc<Semaphore>,
}

/// A journal and its place in the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored<J: Journal> {
    /// Id of the journal.
    pub id: Name,
    /// Revision of the journal.
    pub revision: Revision,
    /// Stored document.
    pub document: JournalDocument<J>,
    /// Token of the read-only link, if this store can compute it.
    pub share: Option<String>,
}

/// Error when a journal can't be shown or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalStoreError<E: std::error::Error> {
    /// The journal does not exist, or belongs to another key.
    #[error("there is no such {0}")]
    Missing(&'static str),
    /// The store has the maximum number of journals.
    #[error("the store holds {}, which is its limit", format_count(*max, names.kind, names.several))]
    Full {
        /// Maximum number of journals.
        max: usize,
        /// Names of the kind of journal.
        names: JournalNames,
    },
    /// The client has the maximum number of journals.
    #[error("you have {}, which is the limit: delete one", format_count(*max, names.kind, names.several))]
    FullForOne {
        /// Maximum number of journals of a client.
        max: usize,
        /// Names of the kind of journal.
        names: JournalNames,
    },
    /// The journal was changed after its author had read it.
    #[error("the {0} was modified concurrently; reload and retry")]
    Stale(&'static str),
    /// The action can't be applied.
    #[error(transparent)]
    Refused(E),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl<E: std::error::Error> From<StoreError> for JournalStoreError<E> {
    fn from(error: StoreError) -> JournalStoreError<E> {
        JournalStoreError::Store(error)
    }
}

impl<J: Journal> Stored<J> {
    /// Returns the name of the link of a token, which is the token's hash; `None` if the journal
    /// has no such link.
    #[must_use]
    pub fn link(&self, token: &str) -> Option<Name> {
        let hash = hash_of(token);
        self.document.links.contains(&hash).then_some(hash)
    }
}

impl<J: Journal> JournalStore<J> {
    /// Creates a store of journals in `documents`.
    #[must_use]
    pub fn new(documents: Arc<dyn Documents>) -> JournalStore<J> {
        JournalStore {
            documents,
            book: Arc::new(Book::shipped()),
            limits: None,
            link_key: OnceLock::new(),
            census: Mutex::default(),
            watched: Watchers::default(),
            processors: Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from))),
        }
    }

    /// Returns this store with the rule sets of a book instead of the shipped ones.
    #[must_use]
    pub fn with_book(self, book: Arc<Book>) -> JournalStore<J> {
        JournalStore { book, ..self }
    }

    /// Returns this store with limits on the number and lifetime of journals.
    #[must_use]
    pub fn with_limits(self, limits: JournalLimits) -> JournalStore<J> {
        JournalStore { limits: Some(limits), ..self }
    }

    /// Returns this store with tokens derived from this key, so that they can be shown again after
    /// a restart.
    #[must_use]
    pub fn with_link_key(self, key: LinkKey) -> JournalStore<J> {
        JournalStore { link_key: key.into(), ..self }
    }

    /// Runs CPU-bound work as soon as a processor is free for it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] while the process ends.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = Arc::clone(&self.processors)
            .acquire_owned()
            .await
            .map_err(|error| StoreError::unavailable(&error))?;
        let done = spawn_blocking(move || {
            // The work holds the permit itself, because its caller may stop waiting before it is
            // done.
            let _place = place;
            work()
        });
        done.await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(error) => StoreError::unavailable(&error),
        })
    }

    /// Stores a new journal. A journal without an owner counts for the address of its creator while
    /// this process lives. In a fleet, each service counts the journals that it knows of, and
    /// learns of all journals with every sweep.
    ///
    /// # Errors
    /// [`JournalStoreError::Full`], [`JournalStoreError::FullForOne`], and those of the store.
    pub async fn create(
        &self,
        journal: J,
        owner: Option<String>,
        address: Option<&str>,
    ) -> Result<Stored<J>, StoreErrorOf<J>> {
        let id = new_id()?;
        self.admit(&id, owner.as_deref(), address).await?;
        let document = JournalDocument::new(journal, owner, None, Timestamp::now());
        match self.insert(&id, document).await {
            Ok(stored) => Ok(stored),
            Err(error) => {
                self.uncount(&id).await;
                Err(error.into())
            }
        }
    }

    /// Stores a new journal; with a key, as [`create_once`](JournalStore::create_once) does.
    /// Returns `true` if the journal is new.
    ///
    /// # Errors
    /// Errors of [`create_once`](JournalStore::create_once).
    pub async fn create_for(
        &self,
        journal: J,
        owner: Option<String>,
        address: Option<&str>,
        key: Option<&Name>,
    ) -> Result<(Stored<J>, bool), StoreErrorOf<J>> {
        match key {
            Some(key) => self.create_once(journal, owner, address, key).await,
            None => Ok((self.create(journal, owner, address).await?, true)),
        }
    }

    /// Stores a new journal, once for each key: a repeated request finds the journal that it
    /// created. Returns `true` if the journal is new.
    ///
    /// # Errors
    /// [`JournalStoreError::Refused`] if the key created a journal that began otherwise, and those
    /// of [`create`](JournalStore::create).
    pub async fn create_once(
        &self,
        journal: J,
        owner: Option<String>,
        address: Option<&str>,
        key: &Name,
    ) -> Result<(Stored<J>, bool), StoreErrorOf<J>> {
        for _ in 0..MAX_ATTEMPTS {
            let known = self.creation_keys().load(key).await?;
            let expired = known.as_ref().map(|(revision, _)| *revision);
            let valid = known.filter(|(_, record)| record.is_valid(Timestamp::now()));
            // A key may have no journal: a service died before it stored one.
            let bound = valid.map(|(_, record)| record.journal);
            if let Some(id) = &bound
                && let Some(found) = self.load(id).await?
            {
                let same = found.document.journal.began_like(&journal);
                return if same {
                    Ok((found, false))
                } else {
                    Err(JournalStoreError::Refused(J::key_reused()))
                };
            }
            let id = match bound {
                Some(id) => {
                    self.admit(&id, owner.as_deref(), address).await?;
                    id
                }
                None => match self.bind(key, expired, owner.as_deref(), address).await? {
                    Some(id) => id,
                    None => continue,
                },
            };
            let name = Some(key.clone());
            let document =
                JournalDocument::new(journal.clone(), owner.clone(), name, Timestamp::now());
            match self.insert(&id, document).await {
                Ok(stored) => return Ok((stored, true)),
                // Another request with the key stored it under this id; the next attempt finds it.
                Err(StoreError::Conflict) => {}
                Err(error) => {
                    self.uncount(&id).await;
                    return Err(error.into());
                }
            }
        }
        Err(JournalStoreError::Stale(J::NAMES.kind))
    }

    /// Binds a key to the id of a journal that is admitted; `None` if another request bound it.
    async fn bind(
        &self,
        key: &Name,
        expired: Option<Revision>,
        owner: Option<&str>,
        address: Option<&str>,
    ) -> Result<Option<Name>, StoreErrorOf<J>> {
        let id = new_id()?;
        self.admit(&id, owner, address).await?;
        match self.creation_keys().bind(key, expired, &id).await {
            Ok(()) => Ok(Some(id)),
            Err(StoreError::Conflict) => {
                self.uncount(&id).await;
                Ok(None)
            }
            Err(error) => {
                self.uncount(&id).await;
                Err(error.into())
            }
        }
    }

    /// Stores a document under a new id, after its row in the index.
    async fn insert(
        &self,
        id: &Name,
        document: JournalDocument<J>,
    ) -> Result<Stored<J>, StoreError> {
        let row = IndexRow::new(id, document.created, document.owner.as_deref());
        self.index().insert(&row).await?;
        let revision = self.documents.save(&kind::<J>(), id, None, &document.bytes()).await?;
        Ok(self.to_stored(id.clone(), revision, document))
    }

    fn creation_keys(&self) -> CreationKeys<'_> {
        CreationKeys { documents: self.documents.as_ref(), names: J::NAMES }
    }

    async fn admit(
        &self,
        id: &Name,
        owner: Option<&str>,
        address: Option<&str>,
    ) -> Result<(), StoreErrorOf<J>> {
        let Some(limits) = &self.limits else { return Ok(()) };
        let mut census = self.census.lock().await;
        if census.is_none() {
            let all: HashSet<Name> = self.documents.list(&kind::<J>()).await?.into_iter().collect();
            let mut rows: Vec<IndexRow> = self.index().rows().await?.into_values().collect();
            rows.retain(|row| all.contains(&row.journal));
            *census = Some(Census::new(&rows, None));
        }
        let admitted = census.get_or_insert_default().admit(id, owner, address, limits);
        admitted.map_err(|too_many| match too_many {
            TooMany::InAll => JournalStoreError::Full { max: limits.max_journals, names: J::NAMES },
            TooMany::OfClient(max) => JournalStoreError::FullForOne { max, names: J::NAMES },
        })
    }

    fn index(&self) -> JournalIndex<'_> {
        JournalIndex { documents: self.documents.as_ref(), names: J::NAMES }
    }

    async fn uncount(&self, id: &Name) {
        if let Some(census) = &mut *self.census.lock().await {
            census.remove(id);
        }
    }

    /// Returns a journal by its id. A client with a key can't find journals without an owner,
    /// because their owner from before keys were required is unknown.
    ///
    /// # Errors
    /// [`JournalStoreError::Missing`], also if the journal belongs to another key.
    pub async fn find(&self, id: &str, asking: Option<&str>) -> Result<Stored<J>, StoreErrorOf<J>> {
        let id: Name = id.parse().map_err(|_| JournalStoreError::Missing(J::NAMES.kind))?;
        let found = self.load(&id).await?.ok_or(JournalStoreError::Missing(J::NAMES.kind))?;
        match asking {
            Some(_) if asking != found.document.owner.as_deref() => {
                Err(JournalStoreError::Missing(J::NAMES.kind))
            }
            _ => Ok(found),
        }
    }

    async fn load(&self, id: &Name) -> Result<Option<Stored<J>>, StoreError> {
        let Some((revision, bytes)) = self.documents.load(&kind::<J>(), id).await? else {
            return Ok(None);
        };
        let document = match bytes.len() {
            ..=MAX_INLINE => JournalDocument::read(&bytes, &self.book)?,
            _ => {
                let book = Arc::clone(&self.book);
                self.compute(move || JournalDocument::read(&bytes, &book)).await??
            }
        };
        Ok(Some(self.to_stored(id.clone(), revision, document)))
    }

    fn to_stored(&self, id: Name, revision: Revision, document: JournalDocument<J>) -> Stored<J> {
        let token = self.link_key.get().map(|key| key.token(&id, document.taken_back));
        let share = token.filter(|token| document.links.contains(&hash_of(token)));
        Stored { id, revision, document, share }
    }

    /// Returns a journal by the token of its link.
    ///
    /// # Errors
    /// [`JournalStoreError::Missing`] if no link has this token any more.
    pub async fn find_shared(&self, token: &str) -> Result<Stored<J>, StoreErrorOf<J>> {
        let link = self.documents.load(&links::<J>(), &hash_of(token)).await?;
        let (_, id) = link.ok_or(JournalStoreError::Missing(J::NAMES.kind))?;
        let found = self.find(&String::from_utf8_lossy(&id), None).await?;
        if found.link(token).is_some() {
            Ok(found)
        } else {
            Err(JournalStoreError::Missing(J::NAMES.kind))
        }
    }

    /// Returns the ids of all journals.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn list(&self) -> Result<Vec<Name>, StoreError> {
        self.documents.list(&kind::<J>()).await
    }

    /// Checks that the author saw the current revision, unless the same action was already applied
    /// under the same key.
    ///
    /// # Errors
    /// [`JournalStoreError::Stale`].
    pub fn check(
        &self,
        found: &Stored<J>,
        seen: &Precondition,
        meta: &Meta,
    ) -> Result<(), StoreErrorOf<J>> {
        let known = meta.key.as_deref().is_some_and(|key| found.document.journal.knows(key));
        if known || seen.allows(found.revision) {
            Ok(())
        } else {
            Err(JournalStoreError::Stale(J::NAMES.kind))
        }
    }

    /// Applies an action to the revision that its author saw. Returns `true` if it was not applied
    /// before under the same key. That is checked first, because after the first application the
    /// revision differs. If another writer was faster, it is checked again: that writer may have
    /// applied the same action under the same key.
    ///
    /// # Errors
    /// [`JournalStoreError`]; the journal is unchanged.
    pub async fn change(
        &self,
        mut found: Stored<J>,
        seen: Precondition,
        meta: Meta,
        action: J::Action,
    ) -> Result<(Stored<J>, bool), StoreErrorOf<J>> {
        for _ in 0..MAX_ATTEMPTS {
            self.check(&found, &seen, &meta)?;
            let id = found.id.clone();
            match self.apply(found, meta.clone(), action.clone()).await {
                Err(JournalStoreError::Stale(_)) => {}
                applied => return applied,
            }
            found = self.load(&id).await?.ok_or(JournalStoreError::Missing(J::NAMES.kind))?;
        }
        Err(JournalStoreError::Stale(J::NAMES.kind))
    }

    /// Applies an action and saves the journal, if no other writer saved it meanwhile.
    async fn apply(
        &self,
        mut found: Stored<J>,
        meta: Meta,
        action: J::Action,
    ) -> Result<(Stored<J>, bool), StoreErrorOf<J>> {
        let applied = self.compute(move || {
            let now = Timestamp(meta.at);
            let new = found.document.journal.apply(meta, action)?;
            if new {
                found.document.changed = found.document.changed.max(now);
            }
            Ok::<_, J::Error>((found, new))
        });
        match applied.await?.map_err(JournalStoreError::Refused)? {
            (found, true) => Ok((self.save(found).await?, true)),
            (found, false) => Ok((found, false)),
        }
    }

    /// Creates a link for viewers, or returns the existing one. Returns the journal and the link's
    /// token.
    ///
    /// # Errors
    /// [`JournalStoreError`].
    pub async fn share(
        &self,
        mut found: Stored<J>,
    ) -> Result<(Stored<J>, String), StoreErrorOf<J>> {
        let key = self.link_key()?;
        for _ in 0..MAX_ATTEMPTS {
            let token = key.token(&found.id, found.document.taken_back);
            let hash = hash_of(&token);
            if found.document.links.contains(&hash) {
                return Ok((found, token));
            }
            self.put_link(&hash, found.id.as_str().as_bytes()).await?;
            let mut shared = found.clone();
            let too_many = (shared.document.links.len() + 1).saturating_sub(MAX_LINKS);
            let oldest: Vec<Name> = shared.document.links.drain(..too_many).collect();
            shared.document.links.push(hash.clone());
            match self.save(shared).await {
                Err(JournalStoreError::Stale(_)) => {
                    let again = self.find(found.id.as_str(), None).await;
                    let keeps_token = again
                        .as_ref()
                        .is_ok_and(|one| key.token(&one.id, one.document.taken_back) == token);
                    if !keeps_token {
                        self.documents.remove(&links::<J>(), &hash).await?;
                    }
                    found = again?;
                }
                Err(error) => return Err(error),
                Ok(saved) => {
                    self.remove_links(&oldest).await?;
                    return Ok((saved, token));
                }
            }
        }
        Err(JournalStoreError::Stale(J::NAMES.kind))
    }

    fn link_key(&self) -> Result<&LinkKey, StoreError> {
        if let Some(key) = self.link_key.get() {
            return Ok(key);
        }
        let key = LinkKey::random()?;
        Ok(self.link_key.get_or_init(|| key))
    }

    /// Revokes all links: their holders can no longer see the journal.
    ///
    /// # Errors
    /// [`JournalStoreError`].
    pub async fn unshare(&self, mut found: Stored<J>) -> Result<Stored<J>, StoreErrorOf<J>> {
        for _ in 0..MAX_ATTEMPTS {
            if found.document.links.is_empty() {
                return Ok(found);
            }
            let mut alone = found.clone();
            let taken = std::mem::take(&mut alone.document.links);
            alone.document.taken_back += 1;
            match self.save(alone).await {
                Err(JournalStoreError::Stale(_)) => {
                    found = self.find(found.id.as_str(), None).await?;
                }
                Err(error) => return Err(error),
                Ok(saved) => {
                    self.remove_links(&taken).await?;
                    return Ok(saved);
                }
            }
        }
        Err(JournalStoreError::Stale(J::NAMES.kind))
    }

    /// Transfers a journal to the holder of a key, for example a journal without an owner once keys
    /// are required.
    ///
    /// # Errors
    /// [`JournalStoreError`].
    pub async fn transfer(
        &self,
        mut found: Stored<J>,
        owner: &str,
    ) -> Result<Stored<J>, StoreErrorOf<J>> {
        found.document.owner = Some(owner.to_owned());
        let saved = self.save(found).await?;
        let row = IndexRow::new(&saved.id, saved.document.changed, Some(owner));
        match self.index().rows().await?.get(&saved.id) {
            Some(before) => self.index().replace(before, &row).await?,
            None => self.index().insert(&row).await?,
        }
        Ok(saved)
    }

    /// Deletes a journal and its links.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn remove(&self, found: &Stored<J>) -> Result<(), StoreError> {
        self.remove_links(&found.document.links).await?;
        if let Some(key) = &found.document.key {
            self.creation_keys().remove_with(key, &found.id).await?;
        }
        self.documents.remove(&kind::<J>(), &found.id).await?;
        // The row is as at the creation. If it was replaced after a change, the
        // next sweep removes it.
        let row = IndexRow::new(&found.id, found.document.created, found.document.owner.as_deref());
        self.index().remove(&row).await?;
        self.watched.removed(&found.id);
        self.uncount(&found.id).await;
        Ok(())
    }

    async fn put_link(&self, hash: &Name, journal: &[u8]) -> Result<(), StoreError> {
        match self.documents.save(&links::<J>(), hash, None, journal).await {
            Ok(_) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn remove_links(&self, hashes: &[Name]) -> Result<(), StoreError> {
        for hash in hashes {
            self.documents.remove(&links::<J>(), hash).await?;
        }
        Ok(())
    }

    /// Saves a journal if its revision has not changed.
    async fn save(&self, found: Stored<J>) -> Result<Stored<J>, StoreErrorOf<J>> {
        let bytes = found.document.bytes();
        match self.documents.save(&kind::<J>(), &found.id, Some(found.revision), &bytes).await {
            Ok(revision) => {
                let found = self.to_stored(found.id, revision, found.document);
                self.watched.saved(&found);
                Ok(found)
            }
            Err(StoreError::Conflict) => Err(JournalStoreError::Stale(J::NAMES.kind)),
            Err(error) => Err(error.into()),
        }
    }
}

/// Condition on the revision of a journal that its author saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition {
    /// Any revision.
    Any,
    /// A revision of this list.
    OneOf(Vec<Revision>),
}

impl Precondition {
    /// Returns whether the condition allows this revision.
    #[must_use]
    pub fn allows(&self, revision: Revision) -> bool {
        match self {
            Precondition::Any => true,
            Precondition::OneOf(seen) => seen.contains(&revision),
        }
    }
}

/// Returns the kind of the documents that are journals.
fn kind<J: Journal>() -> Name {
    J::NAMES.kind.parse().expect("a name")
}

/// Returns the kind of the documents that are links.
fn links<J: Journal>() -> Name {
    J::NAMES.kind_of("link")
}

/// Creates the id of a new journal.
fn new_id() -> Result<Name, StoreError> {
    let id = random::id().map_err(|error| StoreError::unavailable(&error))?;
    Ok(id.parse().expect("hex digits are a name"))
}

#[cfg(test)]
mod tests {
    use tilesight_core::evening::{Action, Draw, Game, GameError, Play};

    use super::creation::KeyRecord;
    use super::*;
    use crate::EmbeddedStore;
    use crate::evenings::{
        EveningCursor, EveningLimits, EveningStore, EveningStoreError, StoredEvening,
    };

    /// Store in a folder, which is removed with it.
    struct Stored {
        evenings: EveningStore,
        documents: Arc<EmbeddedStore>,
        _folder: tempfile::TempDir,
    }

    fn stored() -> Stored {
        let folder = tempfile::tempdir().unwrap();
        let documents = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
        let evenings = EveningStore::new(Arc::<EmbeddedStore>::clone(&documents));
        Stored { evenings, documents, _folder: folder }
    }

    fn game(title: &str) -> Game {
        let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
        Game::new(title.to_owned(), names, Arc::clone(Book::shipped().usual())).expect("names")
    }

    fn draw() -> Action {
        Action::Add { play: Play::Draw(Draw::default()), before: None }
    }

    fn name(text: &str) -> Name {
        text.parse().expect("letters and hyphens")
    }

    fn keyed(key: &str) -> Meta {
        Meta { at: 0, by: None, key: Some(key.to_owned()) }
    }

    /// Two requests that read the same revision: the second finds what the first has saved.
    #[tokio::test]
    async fn a_change_sent_twice_at_once_is_made_once_and_both_are_answered() {
        let Stored { evenings, _folder, .. } = stored();
        let found = evenings.create(game(""), None, None).await.expect("a game");
        let seen = Precondition::OneOf(vec![found.revision]);
        let twin = found.clone();
        let first = evenings.change(found.clone(), seen.clone(), keyed("k"), draw()).await;
        let (first, new) = first.expect("a change");
        assert!(new);
        let (again, new) = evenings
            .change(twin.clone(), seen.clone(), keyed("k"), draw())
            .await
            .expect("a repeat");
        assert_eq!((again.revision, new), (first.revision, false));
        // Another action with the key, another key, and no key are refused as ever.
        let finish = evenings.change(twin.clone(), seen.clone(), keyed("k"), Action::Finish).await;
        assert_eq!(finish, Err(EveningStoreError::Refused(GameError::KeyReused)));
        for meta in [keyed("other"), Meta::default()] {
            let late = evenings.change(twin.clone(), seen.clone(), meta, draw()).await;
            assert_eq!(late, Err(EveningStoreError::Stale("game")));
        }
        // Any revision allows the one that another writer saved.
        let any = evenings.change(twin, Precondition::Any, Meta::default(), draw()).await;
        let (any, new) = any.expect("a change of any revision");
        assert_eq!((any.document.journal.changes().len(), new), (2, true));
    }

    async fn create_once(
        evenings: &EveningStore,
        title: &str,
        key: &Name,
    ) -> Result<(StoredEvening, bool), EveningStoreError> {
        evenings.create_once(game(title), owner("anna"), None, key).await
    }

    fn owner(name: &str) -> Option<String> {
        Some(name.to_owned())
    }

    /// Returns what the store knows of a key.
    async fn creation(evenings: &EveningStore, key: &Name) -> Option<(Revision, KeyRecord)> {
        evenings.creation_keys().load(key).await.expect("the store")
    }

    #[tokio::test]
    async fn a_key_creates_one_game() {
        let Stored { evenings, documents, _folder } = stored();
        let key = name("anna-k");
        let (first, new) = create_once(&evenings, "Thursday", &key).await.expect("a game");
        assert!(new);
        let (again, new) = create_once(&evenings, "Thursday", &key).await.expect("the same game");
        assert_eq!((&again.id, new), (&first.id, false));
        let other = create_once(&evenings, "Friday", &key).await;
        assert_eq!(other, Err(EveningStoreError::Refused(GameError::KeyReused)));
        let (of_bo, _) =
            create_once(&evenings, "Thursday", &name("bo-k")).await.expect("another sender");
        assert_ne!(of_bo.id, first.id);
        // A service that died before it stored the game: the next request stores it.
        documents.remove(&kind::<Game>(), &first.id).await.expect("the store");
        let (late, new) = create_once(&evenings, "Thursday", &key).await.expect("a game");
        assert_eq!((&late.id, new), (&first.id, true));
        // Deleted with its game, the key creates another.
        evenings.remove(&late).await.expect("the store");
        let (other, _) = create_once(&evenings, "Thursday", &key).await.expect("a game");
        assert_ne!(other.id, first.id);
    }

    #[tokio::test]
    async fn requests_with_one_key_at_once_create_one_game() {
        let Stored { evenings, _folder, .. } = stored();
        let evenings = Arc::new(evenings.with_limits(EveningLimits::default()));
        let creating: Vec<_> = (0..8)
            .map(|_| {
                let evenings = Arc::clone(&evenings);
                tokio::spawn(async move {
                    let key = name("k");
                    evenings.create_once(game(""), None, Some("192.0.2.1"), &key).await
                })
            })
            .collect();
        let mut created = Vec::new();
        for one in creating {
            created.push(one.await.expect("no panic").expect("a game"));
        }
        assert_eq!(created.iter().filter(|(_, new)| *new).count(), 1);
        let ids: HashSet<_> = created.iter().map(|(found, _)| &found.id).collect();
        assert_eq!((ids.len(), evenings.list().await.expect("the store").len()), (1, 1));
        let counted = evenings.census.lock().await.as_ref().map(Census::len);
        assert_eq!(counted, Some(1), "those that came second are not counted");
    }

    #[tokio::test]
    async fn a_key_is_forgotten_after_a_day() {
        let Stored { evenings, documents, _folder } = stored();
        let key = name("k");
        let (first, _) = evenings.create_once(game(""), None, None, &key).await.expect("a game");
        evenings.sweep(Timestamp::now()).await.expect("a sweep");
        assert!(creation(&evenings, &key).await.is_some());
        let day = std::time::Duration::from_secs(25 * 3600);
        evenings.sweep(Timestamp::now().saturating_add(day)).await.expect("a sweep");
        assert_eq!(creation(&evenings, &key).await, None);
        let (other, new) = evenings.create_once(game(""), None, None, &key).await.expect("a game");
        assert!(new && other.id != first.id);
        // The key stands for the later game, whatever becomes of the first.
        evenings.remove(&first).await.expect("the store");
        let (again, new) = evenings.create_once(game(""), None, None, &key).await.expect("a game");
        assert_eq!((&again.id, new), (&other.id, false));
        // A record that can't be read keeps nothing from being swept.
        let (revision, _) = creation(&evenings, &key).await.expect("a record");
        let kind = "game-creation".parse().expect("a name");
        let saved = documents.save(&kind, &key, Some(revision), b"{").await;
        saved.expect("the store");
        evenings.sweep(Timestamp::now()).await.expect("a sweep");
        assert_eq!(creation(&evenings, &key).await, None);
    }

    #[tokio::test]
    async fn pages_list_the_games_of_a_key_newest_first() {
        let Stored { evenings, documents, _folder } = stored();
        for number in 0..7 {
            let title = number.to_string();
            evenings.create(game(&title), owner("anna"), None).await.expect("a game");
            evenings.create(game("of bo"), owner("bo"), None).await.expect("a game");
            evenings.create(game("of nobody"), None, None).await.expect("a game");
        }
        let all = evenings.page("anna", None, 10).await.expect("a page");
        assert_eq!((all.ids.len(), &all.next), (7, &None));
        let mut stored = Vec::new();
        for id in &all.ids {
            stored
                .push(evenings.load_listed(id, "anna").await.expect("the store").expect("a game"));
        }
        let created: Vec<_> = stored.iter().map(|one| one.document.created).collect();
        assert!(created.is_sorted_by(|one, next| one >= next), "{created:?}");
        assert!(stored.iter().all(|one| one.document.owner == owner("anna")));
        let of_another = evenings.load_listed(&all.ids[0], "bo").await;
        assert_eq!(of_another.expect("the store"), None);
        // A game that is deleted between two pages moves no other; one that can't be read is left
        // out.
        let first = evenings.page("anna", None, 3).await.expect("a page");
        let mut seen = first.ids.clone();
        evenings.remove(&stored[2]).await.expect("the store");
        let broken = &stored[3];
        let saved = documents.save(&kind::<Game>(), &broken.id, Some(broken.revision), b"{").await;
        saved.expect("the store");
        assert_eq!(evenings.load_listed(&broken.id, "anna").await.expect("the store"), None);
        let mut next = first.next;
        while let Some(before) = next {
            let text = before.to_string();
            assert_eq!(text.parse().as_ref(), Ok(&before));
            let page = evenings.page("anna", Some(&before), 3).await.expect("a page");
            seen.extend(page.ids);
            next = page.next;
        }
        assert_eq!(seen, all.ids);
        for wrong in ["", "0", &"g".repeat(44), &"0".repeat(45)] {
            assert_eq!(wrong.parse::<EveningCursor>(), Err(JournalCursorError), "{wrong}");
        }
    }
}
