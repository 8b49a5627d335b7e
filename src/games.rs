//! Games as they are kept: documents of the store that jobs have too.
//!
//! A [`GameStore`] creates, loads and changes games; the service and the command share it. Input:
//! ids, actions, and the revision that the author has seen. Output: the game as it stands.
//! Invariants: two who write at once never overwrite each other, because a change counts only on
//! top of the revision that its author saw; an action that has a key is done once, however often
//! its answer gets lost; the token of a link shows its game and can change nothing, and is kept
//! nowhere; what takes a processor is done beside the async threads, by as many at once as there
//! are processors.

mod census;
mod document;
mod limits;
mod links;
mod sweep;
mod watch;

use std::collections::HashSet;
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use tokio::sync::{Mutex, Semaphore};
use tokio::task::spawn_blocking;

use self::census::{Census, Entry, TooMany};
pub use self::document::GameDocument;
pub use self::limits::GameLimits;
pub use self::links::LinkKey;
use self::links::hash_of;
pub use self::sweep::SweepReport;
pub use self::watch::Observation;
use self::watch::Watchers;
use crate::jobs::{Documents, Name, Revision, StoreError, Timestamp};
use crate::random;
use tilesight_core::explain::Lang;
use tilesight_core::game::{Action, Game, GameError, GameView, Meta};
use tilesight_core::plural::format_count;
use tilesight_core::rules::Book;

/// How often a write is tried again when somebody else wrote between reading and writing, before
/// the store is taken for broken.
const TRIES: usize = 8;

/// Links of a game that are good at the same time: one for each key that ever made one, be it that
/// of a service that was restarted without a key of its own. One more takes the place of the
/// oldest.
const MOST_LINKS: usize = 16;
/// A document of so many bytes is read on the spot; a larger one takes a millisecond or more.
const SMALL: usize = 64 * 1024;

/// Where games are kept.
#[derive(Debug)]
pub struct GameStore {
    documents: Arc<dyn Documents>,
    book: Arc<Book>,
    /// How many games there may be, and how long; without limits as many as there is room for, and
    /// they never expire.
    limits: Option<GameLimits>,
    link_key: OnceLock<LinkKey>,
    /// Counted when the first game is created.
    census: Mutex<Option<Census>>,
    watched: Watchers,
    processors: Arc<Semaphore>,
}

/// A game with its place in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// Its id.
    pub id: Name,
    /// Its revision.
    pub revision: Revision,
    /// What is kept of it.
    pub document: GameDocument,
    /// The token for those who may only look on, where this store can tell it.
    pub share: Option<String>,
}

/// Why a game can't be shown or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameStoreError {
    /// The game does not exist, or belongs to another key.
    #[error("there is no such game")]
    NoGame,
    /// The store has as many games as allowed.
    #[error("the store holds {}, which is its limit", format_count(*most, "game", "games"))]
    Full {
        /// How many that is.
        most: usize,
    },
    /// The most games that are kept for one client.
    #[error("you have {}, which is the limit: delete one", format_count(*most, "game", "games"))]
    FullForOne {
        /// How many that is.
        most: usize,
    },
    /// Somebody else changed the game since its author looked at it.
    #[error("the game was modified concurrently; reload and retry")]
    Stale,
    /// The action can't be applied.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl StoredGame {
    /// The game for those who may only look on.
    ///
    /// # Errors
    /// [`GameError`] where the rules have changed since.
    pub fn view_of_onlookers(&self, lang: Lang) -> Result<GameView, GameError> {
        GameView::of_onlookers(&self.document.game, self.revision.0, lang)
    }

    /// The game for those who play it.
    ///
    /// # Errors
    /// [`GameError`] where the rules have changed since.
    pub fn view(&self, lang: Lang) -> Result<GameView, GameError> {
        let share = self.share.clone();
        GameView::of_players(&self.document.game, self.id.as_str(), self.revision.0, share, lang)
    }

    /// The name of the link that a token is of: its hash. `None` where it is of none.
    #[must_use]
    pub fn link(&self, token: &str) -> Option<Name> {
        let hash = hash_of(token);
        self.document.links.contains(&hash).then_some(hash)
    }
}

impl GameStore {
    /// Games among these documents.
    #[must_use]
    pub fn new(documents: Arc<dyn Documents>) -> GameStore {
        GameStore {
            documents,
            book: Arc::new(Book::shipped()),
            limits: None,
            link_key: OnceLock::new(),
            census: Mutex::default(),
            watched: Watchers::default(),
            processors: Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from))),
        }
    }

    /// The same with the rule sets of a book instead of the shipped ones.
    #[must_use]
    pub fn with_book(self, book: Arc<Book>) -> GameStore {
        GameStore { book, ..self }
    }

    /// The same with so many games at the most, each kept so long.
    #[must_use]
    pub fn with_limits(self, limits: GameLimits) -> GameStore {
        GameStore { limits: Some(limits), ..self }
    }

    /// The same with tokens that are made of this key, so that they can be shown again after a
    /// restart.
    #[must_use]
    pub fn with_link_key(self, key: LinkKey) -> GameStore {
        GameStore { link_key: key.into(), ..self }
    }

    /// Does what takes a processor, once one of them is free for it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] while the process ends.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let place = Arc::clone(&self.processors).acquire_owned().await;
        let place = place.map_err(|error| StoreError::unavailable(&error))?;
        let done = spawn_blocking(move || {
            // Held by the work itself: a caller that waits for it may leave before it is done.
            let _place = place;
            work()
        });
        done.await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(error) => StoreError::unavailable(&error),
        })
    }

    /// Keeps a new game. One of nobody is counted for the address of its creator, as long as this
    /// process lives; of a fleet each service counts what it has heard of, and all of it with every
    /// sweep.
    ///
    /// # Errors
    /// [`GameStoreError::Full`], [`GameStoreError::FullForOne`], and those of the store.
    pub async fn create(
        &self,
        game: Game,
        owner: Option<String>,
        address: Option<&str>,
    ) -> Result<StoredGame, GameStoreError> {
        let (id, now) = (new_id()?, Timestamp::now());
        self.admit(&id, owner.as_deref(), address).await?;
        let entry = Entry::new(&id, now, owner.as_deref());
        let document = GameDocument::new(game, owner, now);
        let saved = async {
            self.put_entry(&entry).await?;
            self.documents.save(&games(), &id, None, &document.bytes()).await
        };
        match saved.await {
            Ok(revision) => Ok(self.found(id, revision, document)),
            Err(error) => {
                self.forget(&id).await;
                Err(error.into())
            }
        }
    }

    async fn admit(
        &self,
        id: &Name,
        owner: Option<&str>,
        address: Option<&str>,
    ) -> Result<(), GameStoreError> {
        let Some(limits) = &self.limits else { return Ok(()) };
        let mut census = self.census.lock().await;
        if census.is_none() {
            let all: HashSet<Name> = self.documents.list(&games()).await?.into_iter().collect();
            let mut entries: Vec<Entry> = self.entries().await?.into_values().collect();
            entries.retain(|entry| all.contains(&entry.game));
            *census = Some(Census::of(&entries, None));
        }
        let admitted = census.get_or_insert_default().admit(id, owner, address, limits);
        admitted.map_err(|too_many| match too_many {
            TooMany::Games => GameStoreError::Full { most: limits.most },
            TooMany::OfOne(most) => GameStoreError::FullForOne { most },
        })
    }

    async fn forget(&self, id: &Name) {
        if let Some(census) = &mut *self.census.lock().await {
            census.forget(id);
        }
    }

    /// A game by its id. One of nobody is not there for anyone who has a key: nobody knows whose it
    /// was before keys were asked for.
    ///
    /// # Errors
    /// [`GameStoreError::NoGame`] also where it belongs to another key.
    pub async fn find(&self, id: &str, asking: Option<&str>) -> Result<StoredGame, GameStoreError> {
        let id: Name = id.parse().map_err(|_| GameStoreError::NoGame)?;
        let found = self.load(&id).await?.ok_or(GameStoreError::NoGame)?;
        match asking {
            Some(_) if asking != found.document.owner.as_deref() => Err(GameStoreError::NoGame),
            _ => Ok(found),
        }
    }

    async fn load(&self, id: &Name) -> Result<Option<StoredGame>, StoreError> {
        let Some((revision, bytes)) = self.documents.load(&games(), id).await? else {
            return Ok(None);
        };
        let document = match bytes.len() {
            ..=SMALL => GameDocument::read(&bytes, &self.book)?,
            _ => {
                let book = Arc::clone(&self.book);
                self.compute(move || GameDocument::read(&bytes, &book)).await??
            }
        };
        Ok(Some(self.found(id.clone(), revision, document)))
    }

    fn found(&self, id: Name, revision: Revision, document: GameDocument) -> StoredGame {
        let token = self.link_key.get().map(|key| key.token(&id, document.taken_back));
        let share = token.filter(|token| document.links.contains(&hash_of(token)));
        StoredGame { id, revision, document, share }
    }

    /// A game by the token of its link.
    ///
    /// # Errors
    /// [`GameStoreError::NoGame`] where no link has this token any more.
    pub async fn shared(&self, token: &str) -> Result<StoredGame, GameStoreError> {
        let plain: Name = token.parse().map_err(|_| GameStoreError::NoGame)?;
        let link = match self.documents.load(&links(), &hash_of(token)).await? {
            // One that an older program made, and no sweep has met.
            None => self.documents.load(&links(), &plain).await?,
            found => found,
        };
        let (_, id) = link.ok_or(GameStoreError::NoGame)?;
        let found = self.find(&String::from_utf8_lossy(&id), None).await?;
        if found.link(token).is_some() { Ok(found) } else { Err(GameStoreError::NoGame) }
    }

    /// The ids of all games.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn list(&self) -> Result<Vec<Name>, StoreError> {
        self.documents.list(&games()).await
    }

    /// Checks that an author saw the game as it stands, unless the same was done before under the
    /// same key.
    ///
    /// # Errors
    /// [`GameStoreError::Stale`].
    pub fn check(
        &self,
        found: &StoredGame,
        seen: &Precondition,
        meta: &Meta,
    ) -> Result<(), GameStoreError> {
        let known = meta.key.as_deref().is_some_and(|key| found.document.game.knows(key));
        if known || seen.allows(found.revision) { Ok(()) } else { Err(GameStoreError::Stale) }
    }

    /// Does an action on top of the revision that its author saw. `true` when it was not done
    /// before under the same key; that it was is found out first, because then the revision is
    /// another.
    ///
    /// # Errors
    /// [`GameStoreError`]; the game stays as it was.
    pub async fn change(
        &self,
        found: StoredGame,
        seen: Precondition,
        meta: Meta,
        action: Action,
    ) -> Result<(StoredGame, bool), GameStoreError> {
        self.check(&found, &seen, &meta)?;
        let applied = self.compute(move || {
            let (mut found, now) = (found, Timestamp(meta.at));
            let new = found.document.game.apply(meta, action)?;
            if new {
                found.document.changed = found.document.changed.max(now);
            }
            Ok::<_, GameError>((found, new))
        });
        match applied.await?? {
            (found, true) => Ok((self.save(found).await?, true)),
            (found, false) => Ok((found, false)),
        }
    }

    /// Makes a link for those who may only look on, or gives the one there is: the game, and the
    /// link's token.
    ///
    /// # Errors
    /// [`GameStoreError`].
    pub async fn share(
        &self,
        mut found: StoredGame,
    ) -> Result<(StoredGame, String), GameStoreError> {
        let key = self.link_key()?;
        for _ in 0..TRIES {
            let token = key.token(&found.id, found.document.taken_back);
            let hash = hash_of(&token);
            if found.document.links.contains(&hash) {
                return Ok((found, token));
            }
            self.put_link(&hash, found.id.as_str().as_bytes()).await?;
            let mut shared = found.clone();
            let too_many = (shared.document.links.len() + 1).saturating_sub(MOST_LINKS);
            let oldest: Vec<Name> = shared.document.links.drain(..too_many).collect();
            shared.document.links.push(hash.clone());
            match self.save(shared).await {
                Err(GameStoreError::Stale) => {
                    let again = self.find(found.id.as_str(), None).await;
                    let same =
                        |game: &StoredGame| key.token(&game.id, game.document.taken_back) == token;
                    if !again.as_ref().is_ok_and(same) {
                        self.documents.remove(&links(), &hash).await?;
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
        Err(GameStoreError::Stale)
    }

    fn link_key(&self) -> Result<&LinkKey, StoreError> {
        if let Some(key) = self.link_key.get() {
            return Ok(key);
        }
        let key = LinkKey::random()?;
        Ok(self.link_key.get_or_init(|| key))
    }

    /// Takes all links back: anyone who has one sees the game no longer.
    ///
    /// # Errors
    /// [`GameStoreError`].
    pub async fn unshare(&self, mut found: StoredGame) -> Result<StoredGame, GameStoreError> {
        for _ in 0..TRIES {
            if found.document.links.is_empty() {
                return Ok(found);
            }
            let mut alone = found.clone();
            let taken = std::mem::take(&mut alone.document.links);
            alone.document.taken_back += 1;
            match self.save(alone).await {
                Err(GameStoreError::Stale) => found = self.find(found.id.as_str(), None).await?,
                Err(error) => return Err(error),
                Ok(saved) => {
                    self.remove_links(&taken).await?;
                    return Ok(saved);
                }
            }
        }
        Err(GameStoreError::Stale)
    }

    /// Gives a game to the holder of a key, such as one of nobody once keys are asked for.
    ///
    /// # Errors
    /// [`GameStoreError`].
    pub async fn give(
        &self,
        mut found: StoredGame,
        owner: &str,
    ) -> Result<StoredGame, GameStoreError> {
        found.document.owner = Some(owner.to_owned());
        let saved = self.save(found).await?;
        let entry = Entry::new(&saved.id, saved.document.changed, Some(owner));
        match self.entries().await?.get(&saved.id) {
            Some(before) => self.move_entry(before, &entry).await?,
            None => self.put_entry(&entry).await?,
        }
        Ok(saved)
    }

    /// Forgets a game and its links.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn remove(&self, found: &StoredGame) -> Result<(), StoreError> {
        self.remove_links(&found.document.links).await?;
        if let Some(token) = &found.document.plain {
            self.documents.remove(&links(), token).await?;
        }
        self.documents.remove(&games(), &found.id).await?;
        // As it was entered when it was created; an entry that heard of a change is met by the next
        // sweep.
        let entry = Entry::new(&found.id, found.document.created, found.document.owner.as_deref());
        self.documents.remove(&entries(), &entry.name()).await?;
        self.watched.removed(&found.id);
        self.forget(&found.id).await;
        Ok(())
    }

    async fn put_link(&self, hash: &Name, game: &[u8]) -> Result<(), StoreError> {
        match self.documents.save(&links(), hash, None, game).await {
            Ok(_) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn remove_links(&self, hashes: &[Name]) -> Result<(), StoreError> {
        for hash in hashes {
            self.documents.remove(&links(), hash).await?;
        }
        Ok(())
    }

    /// Saves a game on top of the revision that was found. A token that an older program kept is
    /// not kept on.
    async fn save(&self, mut found: StoredGame) -> Result<StoredGame, GameStoreError> {
        let plain = found.document.plain.take();
        if let Some(token) = &plain {
            self.put_link(&hash_of(token.as_str()), found.id.as_str().as_bytes()).await?;
        }
        let (kind, bytes) = (games(), found.document.bytes());
        match self.documents.save(&kind, &found.id, Some(found.revision), &bytes).await {
            Ok(revision) => {
                if let Some(token) = &plain {
                    self.documents.remove(&links(), token).await?;
                }
                let found = self.found(found.id, revision, found.document);
                self.watched.saved(&found);
                Ok(found)
            }
            Err(StoreError::Conflict) => Err(GameStoreError::Stale),
            Err(error) => Err(error.into()),
        }
    }
}

/// Which revisions of a game its author saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition {
    /// Whatever it is.
    Any,
    /// One of these.
    OneOf(Vec<Revision>),
}

impl Precondition {
    /// Whether this revision was seen.
    #[must_use]
    pub fn allows(&self, revision: Revision) -> bool {
        match self {
            Precondition::Any => true,
            Precondition::OneOf(seen) => seen.contains(&revision),
        }
    }
}

fn games() -> Name {
    "game".parse().expect("a name")
}

fn links() -> Name {
    "game-link".parse().expect("a name")
}

fn entries() -> Name {
    "game-entry".parse().expect("a name")
}

/// The id of a new game.
fn new_id() -> Result<Name, StoreError> {
    let id = random::id().map_err(|error| StoreError::unavailable(&error))?;
    Ok(id.parse().expect("hex digits are a name"))
}
