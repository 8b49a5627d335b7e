//! Handles: the numbers by which C names engines, readers and answers.
//!
//! Input: something to keep. Output: a number, and what was kept under it. Invariant: no number is
//! given twice while the process runs, so one that was released, or that was never given, is always
//! recognised. A call that is running keeps what it uses, even if another thread releases it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_engine::Engine;
use tilesight_vision::Reader;

/// Status of whatever is not a problem.
const FINE: u16 = 200;

/// Things that handles name.
#[derive(Debug, Clone)]
pub(crate) enum Kept {
    Engine(Arc<Engine>),
    Reader(Arc<Reader>),
    Answer(Arc<Answer>),
}

/// Text of an answer or of a problem.
#[derive(Debug)]
pub(crate) struct Answer {
    status: u16,
    /// Bytes of the text, with a zero after them.
    text: Box<[u8]>,
}

static KEPT: RwLock<BTreeMap<u64, Kept>> = RwLock::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(1);

impl Answer {
    pub(crate) fn new(status: u16, mut text: Vec<u8>) -> Answer {
        text.push(0);
        Answer { status, text: text.into_boxed_slice() }
    }
}

impl Kept {
    /// Returns the answer of a request, or its problem in the language of its texts.
    pub(crate) fn from_result(result: Result<Vec<u8>, Problem>) -> Kept {
        let answer = match result {
            Ok(text) => Answer::new(FINE, text),
            // A problem consists of texts and numbers, which can always be written as JSON.
            Err(problem) => {
                Answer::new(problem.kind.status(), serde_json::to_vec(&problem).unwrap_or_default())
            }
        };
        Kept::Answer(Arc::new(answer))
    }

    /// Keeps it, and returns its handle.
    pub(crate) fn keep(self) -> u64 {
        let handle = NEXT.fetch_add(1, Ordering::Relaxed);
        KEPT.write().unwrap_or_else(PoisonError::into_inner).insert(handle, self);
        handle
    }

    /// Returns the status of an answer; that of engines and readers is always fine.
    pub(crate) fn status(&self) -> u16 {
        match self {
            Kept::Engine(_) | Kept::Reader(_) => FINE,
            Kept::Answer(answer) => answer.status,
        }
    }

    /// Returns the bytes of an answer's text, with a zero after them; engines and readers have an
    /// empty one. The bytes stay where they are until the handle is released.
    pub(crate) fn text(&self) -> &[u8] {
        match self {
            Kept::Engine(_) | Kept::Reader(_) => &[0],
            Kept::Answer(answer) => &answer.text,
        }
    }

    fn noun(&self) -> &'static str {
        match self {
            Kept::Engine(_) => "an engine",
            Kept::Reader(_) => "a reader",
            Kept::Answer(answer) if answer.status == FINE => "an answer",
            Kept::Answer(_) => "a problem",
        }
    }
}

/// Returns what a handle names.
pub(crate) fn find(handle: u64) -> Option<Kept> {
    KEPT.read().unwrap_or_else(PoisonError::into_inner).get(&handle).cloned()
}

/// Releases a handle. Returns false if there was nothing to release.
pub(crate) fn release(handle: u64) -> bool {
    let removed = KEPT.write().unwrap_or_else(PoisonError::into_inner).remove(&handle);
    // Whatever it was is dropped without the lock: a reader's networks take a while.
    removed.is_some()
}

/// Returns the number of handles that are not released.
pub(crate) fn count() -> u64 {
    KEPT.read().unwrap_or_else(PoisonError::into_inner).len() as u64
}

/// Returns the engine of a handle.
///
/// # Errors
/// A [`Problem`] if the handle is not that of an engine.
pub(crate) fn engine(handle: u64) -> Result<Arc<Engine>, Problem> {
    match find(handle) {
        Some(Kept::Engine(engine)) => Ok(engine),
        other => Err(wrong_handle("engine", handle, other.as_ref())),
    }
}

/// Returns the reader of a handle.
///
/// # Errors
/// A [`Problem`] if the handle is not that of a reader.
pub(crate) fn reader(handle: u64) -> Result<Arc<Reader>, Problem> {
    match find(handle) {
        Some(Kept::Reader(reader)) => Ok(reader),
        other => Err(wrong_handle("reader", handle, other.as_ref())),
    }
}

fn wrong_handle(parameter: &str, handle: u64, found: Option<&Kept>) -> Problem {
    let detail = match found {
        None => format!("handle {handle} was released, or never given"),
        Some(kept) => format!("handle {handle} is that of {}", kept.noun()),
    };
    Problem::new(ProblemKind::NotFound, detail).about(parameter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_released_handle_names_nothing() {
        let handle = Kept::Engine(Arc::new(Engine::shipped())).keep();
        assert!(engine(handle).is_ok());
        let wrong = reader(handle).unwrap_err();
        assert_eq!(wrong.kind, ProblemKind::NotFound);
        assert!(wrong.to_string().contains("an engine"), "{wrong}");
        assert!(release(handle));
        assert!(!release(handle));
        assert_eq!(engine(handle).unwrap_err().errors[0].field, "engine");
        assert_ne!(Kept::from_result(Ok(Vec::new())).keep(), handle);
    }

    #[test]
    fn texts_end_with_a_zero() {
        let answer = Kept::from_result(Ok(b"{}".to_vec()));
        assert_eq!((answer.status(), answer.text()), (200, b"{}\0".as_slice()));
        let problem = Problem::new(ProblemKind::NotAWin, "no");
        assert_eq!(Kept::from_result(Err(problem)).status(), 422);
    }
}
