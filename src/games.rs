//! Games as they are kept: documents of the store that jobs have too.
//!
//! A [`Desk`] creates, loads and changes games; the service and the command share it. Input: ids,
//! actions, and the revision that whoever acts has seen. Output: the game as it stands. Invariants: two
//! who write at once never overwrite each other, because a change counts only on top of the revision
//! that its author saw; an action that has a key is done once, however often its answer gets lost; the
//! token of a link shows its game and can change nothing.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::explain::Lang;
use crate::game::{Action, Game, GameError, GameView, Meta};
use crate::jobs::{Documents, Name, Revision, StoreError, Timestamp};

/// How often a write is tried again when somebody else wrote between reading and writing, before the
/// store is taken for broken.
const TRIES: usize = 8;

/// Where games are kept.
#[derive(Debug)]
pub struct Desk {
    documents: Arc<dyn Documents>,
    /// Grows with every change that this process made.
    changed: watch::Sender<u64>,
}

/// A game as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Which shape this has.
    version: u32,
    /// The key that created it; a game of nobody is everybody's who knows its id.
    pub owner: Option<String>,
    /// When it was created.
    pub created: Timestamp,
    /// The token for those who may only look on.
    pub share: Option<String>,
    /// The game.
    pub game: Game,
}

/// A game with its place in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its id.
    pub id: Name,
    /// Its revision.
    pub revision: Revision,
    /// What is kept of it.
    pub kept: Kept,
}

/// The shape of [`Kept`] that this program writes.
const VERSION: u32 = 1;

/// Why a game can't be shown or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeskError {
    /// There is no such game, or it is another key's.
    #[error("there is no such game")]
    NoGame,
    /// Somebody else changed the game since its author looked at it.
    #[error("somebody else changed the game meanwhile: look at it and say it again")]
    Stale,
    /// The action can't be applied.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Found {
    /// The game for those who may only look on.
    ///
    /// # Errors
    /// [`GameError`] where the rules have changed since.
    pub fn view_of_onlookers(&self, lang: Lang) -> Result<GameView, GameError> {
        GameView::of_onlookers(&self.kept.game, self.revision.0, lang)
    }

    /// The game for those who play it.
    ///
    /// # Errors
    /// [`GameError`] where the rules have changed since.
    pub fn view(&self, lang: Lang) -> Result<GameView, GameError> {
        let share = self.kept.share.clone();
        GameView::of_players(&self.kept.game, self.id.as_str(), self.revision.0, share, lang)
    }
}

impl Desk {
    /// Games among these documents.
    #[must_use]
    pub fn new(documents: Arc<dyn Documents>) -> Desk {
        Desk { documents, changed: watch::Sender::new(0) }
    }

    /// Tells whenever this process changed any game.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Keeps a new game.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn create(&self, game: Game, owner: Option<String>) -> Result<Found, StoreError> {
        let id = random()?;
        let created = Timestamp::now();
        let kept = Kept { version: VERSION, owner, created, share: None, game };
        let revision = self.documents.save(&games(), &id, None, &written(&kept)).await?;
        Ok(Found { id, revision, kept })
    }

    /// A game by its id.
    ///
    /// # Errors
    /// [`DeskError::NoGame`] also where it belongs to another key.
    pub async fn find(&self, id: &str, asking: Option<&str>) -> Result<Found, DeskError> {
        let id: Name = id.parse().map_err(|_| DeskError::NoGame)?;
        let loaded = self.documents.load(&games(), &id).await?;
        let (revision, bytes) = loaded.ok_or(DeskError::NoGame)?;
        let kept = read(&bytes)?;
        match (asking, &kept.owner) {
            (Some(asking), Some(owner)) if asking != owner => Err(DeskError::NoGame),
            _ => Ok(Found { id, revision, kept }),
        }
    }

    /// A game by the token of its link.
    ///
    /// # Errors
    /// [`DeskError::NoGame`] where no link has this token any more.
    pub async fn shared(&self, token: &str) -> Result<Found, DeskError> {
        let name: Name = token.parse().map_err(|_| DeskError::NoGame)?;
        let (_, id) = self.documents.load(&links(), &name).await?.ok_or(DeskError::NoGame)?;
        let found = self.find(&String::from_utf8_lossy(&id), None).await?;
        if found.kept.share.as_deref() == Some(token) { Ok(found) } else { Err(DeskError::NoGame) }
    }

    /// The ids of all games.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn list(&self) -> Result<Vec<Name>, StoreError> {
        self.documents.list(&games()).await
    }

    /// Does an action on top of the revision that its author saw. `true` when it was not done before
    /// under the same key; that it was is found out first, because then the revision is another.
    ///
    /// # Errors
    /// [`DeskError`]; the game stays as it was.
    pub async fn change(
        &self,
        found: Found,
        seen: Seen,
        meta: Meta,
        action: Action,
    ) -> Result<(Found, bool), DeskError> {
        let mut game = found.kept.game.clone();
        let known = meta.key.as_deref().is_some_and(|key| game.knows(key));
        if !known && !seen.allows(found.revision) {
            return Err(DeskError::Stale);
        }
        if !game.apply(meta, action)? {
            return Ok((found, false));
        }
        let kept = Kept { game, ..found.kept };
        Ok((self.save(Found { kept, ..found }).await?, true))
    }

    /// Makes a link for those who may only look on, or gives the one there is.
    ///
    /// # Errors
    /// [`DeskError`].
    pub async fn share(&self, mut found: Found) -> Result<Found, DeskError> {
        for _ in 0..TRIES {
            if found.kept.share.is_some() {
                return Ok(found);
            }
            let token = random()?;
            self.documents.save(&links(), &token, None, found.id.as_str().as_bytes()).await?;
            let kept = Kept { share: Some(token.to_string()), ..found.kept.clone() };
            match self.save(Found { kept, ..found.clone() }).await {
                Err(DeskError::Stale) => {
                    self.documents.remove(&links(), &token).await?;
                    found = self.find(found.id.as_str(), None).await?;
                }
                saved => return saved,
            }
        }
        Err(DeskError::Stale)
    }

    /// Takes the link back: whoever has it sees the game no longer.
    ///
    /// # Errors
    /// [`DeskError`].
    pub async fn unshare(&self, mut found: Found) -> Result<Found, DeskError> {
        for _ in 0..TRIES {
            let Some(token) = found.kept.share.clone() else { return Ok(found) };
            let kept = Kept { share: None, ..found.kept.clone() };
            match self.save(Found { kept, ..found.clone() }).await {
                Err(DeskError::Stale) => found = self.find(found.id.as_str(), None).await?,
                Err(error) => return Err(error),
                Ok(saved) => {
                    let token: Name = token.parse().map_err(|error| StoreError::corrupt(&error))?;
                    self.documents.remove(&links(), &token).await?;
                    return Ok(saved);
                }
            }
        }
        Err(DeskError::Stale)
    }

    /// Forgets a game and its link.
    ///
    /// # Errors
    /// [`DeskError`].
    pub async fn remove(&self, found: &Found) -> Result<(), DeskError> {
        if let Some(Ok(token)) = found.kept.share.as_deref().map(str::parse) {
            self.documents.remove(&links(), &token).await?;
        }
        self.documents.remove(&games(), &found.id).await?;
        self.tell();
        Ok(())
    }

    async fn save(&self, found: Found) -> Result<Found, DeskError> {
        let (kind, bytes) = (games(), written(&found.kept));
        match self.documents.save(&kind, &found.id, Some(found.revision), &bytes).await {
            Ok(revision) => {
                self.tell();
                Ok(Found { revision, ..found })
            }
            Err(StoreError::Conflict) => Err(DeskError::Stale),
            Err(error) => Err(error.into()),
        }
    }

    fn tell(&self) {
        self.changed.send_modify(|times| *times = times.wrapping_add(1));
    }
}

/// Which revisions of a game its author saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// Whatever it is.
    Any,
    /// One of these.
    OneOf(Vec<Revision>),
}

impl Seen {
    /// Whether this revision was seen.
    #[must_use]
    pub fn allows(&self, revision: Revision) -> bool {
        match self {
            Seen::Any => true,
            Seen::OneOf(seen) => seen.contains(&revision),
        }
    }
}

fn games() -> Name {
    "game".parse().expect("a name")
}

fn links() -> Name {
    "game-link".parse().expect("a name")
}

/// 128 bits that nobody guesses, in hex.
fn random() -> Result<Name, StoreError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StoreError::unavailable(&error))?;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(hex.parse().expect("hex digits are a name"))
}

fn written(kept: &Kept) -> Vec<u8> {
    serde_json::to_vec(kept).expect("its keys are texts")
}

fn read(bytes: &[u8]) -> Result<Kept, StoreError> {
    let kept: Kept = serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))?;
    match kept.version {
        VERSION => Ok(kept),
        found => Err(StoreError::Newer { found, known: VERSION }),
    }
}
