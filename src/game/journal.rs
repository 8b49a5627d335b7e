//! A game as it is kept: who plays what, and the journal of everything that was entered.
//!
//! Input: actions with their time. Output: the entries that count, in the order of play. Invariant: the
//! journal only grows; an undo is a change too, and what it takes back stays readable.

use std::{fmt, io};

use serde::{Deserialize, Serialize};

use crate::contract::{ContextDto, HandInput};
use crate::notation::Notation;
use crate::printable::unprintable;
use crate::rules::RulesetId;

use super::play::{Manual, Other, Play, Reason, Win};
use super::sheet::{self, Sheet, State};
use super::{GameError, PLAYERS};

/// Changes of a game at the most: thirty times what an evening with a mistake in every hand takes.
const MOST_CHANGES: usize = 1000;
/// Bytes of a game's journal as it is kept: what its changes take when each says as much as a hand with the hands of
/// three others, all of them melded. A message of NATS holds a million.
const MOST_BYTES: usize = 750_000;
/// Characters of a name: more does not fit over a column.
const LONGEST_NAME: usize = 40;
/// Characters of a hand as text, as its schema promises.
const LONGEST_HAND: usize = 400;
/// Characters of a title or a note.
const LONGEST_TEXT: usize = 200;

/// An entry of the sheet: the number of the change that added it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct EntryId(pub u32);

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What people do to a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = GameAction))]
pub enum Action {
    /// What happened in the next deal; or in one that was forgotten, before an entry.
    Add {
        /// What happened.
        play: Play,
        /// The entry that it comes before; at the end where it is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<EntryId>,
    },
    /// An entry is to say something else.
    Correct {
        /// The entry.
        entry: EntryId,
        /// What really happened.
        play: Play,
    },
    /// An entry was none.
    Remove {
        /// The entry.
        entry: EntryId,
    },
    /// Other names.
    Rename {
        /// What the game is called.
        title: String,
        /// What the players are called, in their order.
        #[cfg_attr(feature = "http", schema(value_type = Vec<String>, min_items = 4, max_items = 4))]
        players: [String; PLAYERS],
    },
    /// The game ends, though deals are left.
    Finish,
    /// A change is taken back.
    Undo {
        /// Its number.
        change: u32,
    },
}

/// When and by whom something was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meta {
    /// Milliseconds since 1970.
    pub at: u64,
    /// Who did it, as they call themselves.
    pub by: Option<String>,
    /// A name that whoever does it gave it: the same action with the same name is done once.
    pub key: Option<String>,
}

/// An action in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its number, from 1.
    pub number: u32,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Who did it, as they call themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The name that whoever did it gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// What was done.
    pub action: Action,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    title: String,
    players: [String; PLAYERS],
    ruleset: RulesetId,
    changes: Vec<Change>,
}

impl Game {
    /// A game before its first deal. The players come in the order of their first seats, East first.
    ///
    /// # Errors
    /// [`GameError`] when names can't be told apart or texts are too long.
    pub fn new(
        title: String,
        players: [String; PLAYERS],
        ruleset: RulesetId,
    ) -> Result<Game, GameError> {
        let players = players.map(|name| name.trim().to_owned());
        check_names(&title, &players)?;
        Ok(Game { title, players, ruleset, changes: Vec::new() })
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        let renamed = self.renamed().map(|(title, _)| title);
        renamed.unwrap_or(&self.title)
    }

    /// What the players are called, in their order.
    #[must_use]
    pub fn players(&self) -> &[String; PLAYERS] {
        let renamed = self.renamed().map(|(_, players)| players);
        renamed.unwrap_or(&self.players)
    }

    fn renamed(&self) -> Option<(&str, &[String; PLAYERS])> {
        self.applied().rev().find_map(|change| match &change.action {
            Action::Rename { title, players } => Some((title.as_str(), players)),
            _ => None,
        })
    }

    /// What it is played by.
    #[must_use]
    pub const fn ruleset(&self) -> RulesetId {
        self.ruleset
    }

    /// Everything that was done, in order.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Whether a change was taken back.
    #[must_use]
    pub fn is_undone(&self, number: u32) -> bool {
        self.changes.iter().any(|one| one.action == Action::Undo { change: number })
    }

    /// Whether somebody ended it before its last deal.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.applied().any(|change| change.action == Action::Finish)
    }

    /// The score sheet.
    ///
    /// # Errors
    /// [`GameError`] where the rules have changed since, so that a hand can't be scored any more.
    pub fn sheet(&self) -> Result<Sheet, GameError> {
        Sheet::of(self)
    }

    /// The circumstances of a win in the next deal: what the game knows, and what was said.
    ///
    /// # Errors
    /// [`GameError`]: the game is over, or the two contradict each other.
    pub fn circumstances(&self, win: &Win) -> Result<ContextDto, GameError> {
        if win.discarder == Some(win.winner) {
            return Err(GameError::OwnDiscard);
        }
        let deal = self.sheet()?.next.ok_or(GameError::Over)?;
        let told = sheet::circumstances(self.ruleset, win, &deal);
        told.map_err(|problem| GameError::Unreadable(Box::new(problem)))
    }

    /// Does an action. The same action under the same key is done once, and `false` is returned.
    ///
    /// # Errors
    /// [`GameError`]; the game stays as it was.
    pub fn apply(&mut self, meta: Meta, action: Action) -> Result<bool, GameError> {
        let action = written_out(action)?;
        if let Some(known) = self.under(meta.key.as_deref()) {
            return if known.action == action { Ok(false) } else { Err(GameError::KeyReused) };
        }
        if matches!(action, Action::Add { before: None, ref play } if play.ends_deal())
            && self.sheet()?.state != State::Running
        {
            return Err(GameError::Over);
        }
        if let Action::Undo { change } = action
            && !self.applied().any(|one| one.number == change)
        {
            return Err(GameError::NoChange(change));
        }
        self.push(meta, action)
    }

    /// Takes the last change back that was not taken back yet.
    ///
    /// # Errors
    /// [`GameError`]; the game stays as it was.
    pub fn undo(&mut self, meta: Meta) -> Result<bool, GameError> {
        if let Some(known) = self.under(meta.key.as_deref()) {
            let undo = matches!(known.action, Action::Undo { .. });
            return if undo { Ok(false) } else { Err(GameError::KeyReused) };
        }
        let change = self.undoable().ok_or(GameError::NothingToUndo)?;
        self.push(meta, Action::Undo { change })
    }

    /// Whether something was done under this key.
    #[must_use]
    pub fn knows(&self, key: &str) -> bool {
        self.under(Some(key)).is_some()
    }

    /// The change that an undo takes back next.
    #[must_use]
    pub fn undoable(&self) -> Option<u32> {
        self.applied().next_back().map(|change| change.number)
    }

    fn under(&self, key: Option<&str>) -> Option<&Change> {
        let key = key?;
        self.changes.iter().find(|change| change.key.as_deref() == Some(key))
    }

    /// Adds to the journal what leaves a sheet that can be computed.
    fn push(&mut self, meta: Meta, action: Action) -> Result<bool, GameError> {
        if self.changes.len() >= MOST_CHANGES {
            return Err(GameError::Full(MOST_CHANGES));
        }
        check_text("by", meta.by.as_deref().unwrap_or_default(), LONGEST_NAME)?;
        let Meta { at, by, key } = meta;
        // Changes are numbered without gaps, and there are few of them.
        let number = self.changes.len() as u32 + 1;
        self.changes.push(Change { number, at, by, key, action });
        if self.bytes() > MOST_BYTES {
            self.changes.pop();
            return Err(GameError::TooLarge(MOST_BYTES));
        }
        if let Err(error) = self.entries().and_then(|_| self.sheet()) {
            self.changes.pop();
            return Err(error);
        }
        Ok(true)
    }

    /// How many bytes the journal takes as JSON.
    fn bytes(&self) -> usize {
        let mut count = Count(0);
        serde_json::to_writer(&mut count, &self.changes).expect("its keys are texts");
        count.0
    }

    /// The changes that count: those that nobody took back, without the takings back.
    fn applied(&self) -> impl DoubleEndedIterator<Item = &Change> {
        let undone: Vec<u32> = self
            .changes
            .iter()
            .filter_map(|change| match change.action {
                Action::Undo { change } => Some(change),
                _ => None,
            })
            .collect();
        self.changes.iter().filter(move |change| {
            !matches!(change.action, Action::Undo { .. }) && !undone.contains(&change.number)
        })
    }

    /// What happened, in the order of play.
    ///
    /// # Errors
    /// [`GameError::NoEntry`] when a change speaks of an entry that there is not.
    pub(super) fn entries(&self) -> Result<Vec<Entry<'_>>, GameError> {
        let mut entries: Vec<Entry<'_>> = Vec::new();
        let place = |entries: &[Entry<'_>], id: EntryId| {
            entries.iter().position(|entry| entry.id == id).ok_or(GameError::NoEntry(id))
        };
        for change in self.applied() {
            match &change.action {
                Action::Add { play, before } => {
                    let at = before.map_or(Ok(entries.len()), |id| place(&entries, id))?;
                    let id = EntryId(change.number);
                    entries.insert(at, Entry { id, play, corrected: false });
                }
                Action::Correct { entry, play } => {
                    let at = place(&entries, *entry)?;
                    entries[at] = Entry { id: *entry, play, corrected: true };
                }
                Action::Remove { entry } => {
                    entries.remove(place(&entries, *entry)?);
                }
                Action::Rename { .. } | Action::Finish | Action::Undo { .. } => {}
            }
        }
        Ok(entries)
    }
}

/// Counts bytes and keeps none.
struct Count(usize);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An entry as it counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) id: EntryId,
    pub(super) play: &'a Play,
    /// Whether it was corrected since it was added.
    pub(super) corrected: bool,
}

/// The action as it is kept: checked as far as it can be without the game, its hand in one line.
fn written_out(action: Action) -> Result<Action, GameError> {
    Ok(match action {
        Action::Add { play, before } => Action::Add { play: checked(play)?, before },
        Action::Correct { entry, play } => Action::Correct { entry, play: checked(play)? },
        Action::Rename { title, players } => {
            let players = players.map(|name| name.trim().to_owned());
            check_names(&title, &players)?;
            Action::Rename { title, players }
        }
        other => other,
    })
}

/// A hand as it is kept.
fn in_one_line(hand: HandInput) -> Result<HandInput, GameError> {
    let text = match hand {
        HandInput::Notation(text) => text.trim().to_owned(),
        HandInput::Object(_) => {
            let setup = hand.setup().map_err(|problem| GameError::Unreadable(Box::new(problem)))?;
            Notation::of(setup).to_string()
        }
    };
    check_length("hand", &text, LONGEST_HAND)?;
    Ok(HandInput::Notation(text))
}

fn checked(play: Play) -> Result<Play, GameError> {
    match play {
        Play::Win(win) if win.discarder == Some(win.winner) => Err(GameError::OwnDiscard),
        Play::Win(win) => {
            let hand = in_one_line(win.hand)?;
            let others = win
                .others
                .into_iter()
                .map(|other| Ok(Other { hand: in_one_line(other.hand)?, player: other.player }));
            let others = others.collect::<Result<_, GameError>>()?;
            Ok(Play::Win(Win { hand, others, ..win }))
        }
        Play::Manual(manual) => {
            let sum: i64 = manual.payments.iter().map(|&points| i64::from(points)).sum();
            if sum != 0 {
                return Err(GameError::Unbalanced(sum));
            }
            if manual.payments.iter().any(|points| points.unsigned_abs() > MOST_POINTS) {
                return Err(GameError::TooManyPoints(MOST_POINTS));
            }
            check_text("note", manual.note.as_deref().unwrap_or_default(), LONGEST_TEXT)?;
            let ends_deal = manual.ends_deal || manual.reason == Reason::Hand;
            Ok(Play::Manual(Manual { ends_deal, ..manual }))
        }
        Play::Draw => Ok(play),
    }
}

/// Points that are entered by hand at the most: with so many, the totals of the longest game can still
/// be added up.
const MOST_POINTS: u32 = 1_000_000;

fn check_names(title: &str, players: &[String; PLAYERS]) -> Result<(), GameError> {
    check_text("title", title, LONGEST_TEXT)?;
    players.iter().try_for_each(|name| check_printable("players", name))?;
    let fits = |name: &String| (1..=LONGEST_NAME).contains(&name.chars().count());
    let different = (1..PLAYERS).all(|at| !players[..at].contains(&players[at]));
    if players.iter().all(fits) && different { Ok(()) } else { Err(GameError::Names(LONGEST_NAME)) }
}

/// A text that people read: not too long, and nothing in it that can't be printed.
fn check_text(field: &'static str, text: &str, most: usize) -> Result<(), GameError> {
    check_length(field, text, most)?;
    check_printable(field, text)
}

fn check_printable(field: &'static str, text: &str) -> Result<(), GameError> {
    unprintable(text).map_or(Ok(()), |letter| Err(GameError::Unprintable { field, letter }))
}

fn check_length(field: &'static str, text: &str, most: usize) -> Result<(), GameError> {
    if text.chars().count() > most { Err(GameError::TooLong { field, most }) } else { Ok(()) }
}
