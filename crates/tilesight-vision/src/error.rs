//! Errors of reading one photo, or several photos of a hand.

use tilesight_core::context::ContextError;
use tilesight_core::rules::RulesError;
use tilesight_stills::DecodeError;

use crate::networks::ModelError;
use crate::options::PointOutsidePhoto;
use crate::reading::observation::MAX_PHOTOS;
use crate::sets::UnknownSet;

/// Error when a photo can't be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is not a usable photo. The sender can fix it.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The win context contradicts itself. The sender can fix it.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The focus or the region lies outside the photo. The sender can fix it.
    #[error(transparent)]
    Outside(#[from] PointOutsidePhoto),
    /// No own set has the name that was given. The sender can fix it.
    #[error(transparent)]
    Set(#[from] UnknownSet),
    /// The win context contradicts the hand in the photo. The sender can fix it.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The networks do not run. The operator can fix it.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Error when several photos can't be read as one hand.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TogetherError {
    /// No photo, or too many. The sender can fix it.
    #[error("{given} photos of one hand; there may be 1 to {MAX_PHOTOS}")]
    Number {
        /// Number of photos given.
        given: usize,
    },
    /// A single photo can't be read.
    #[error("photo {}: {error}", at + 1)]
    Photo {
        /// Index of the photo among all that were sent.
        at: usize,
        /// Error of that photo.
        error: ReadError,
    },
    /// The hand can't be read, whichever photo shows it.
    #[error(transparent)]
    Hand(#[from] ReadError),
}

impl TogetherError {
    /// Checks the number of photos.
    pub(crate) fn check_number(given: usize) -> Result<(), TogetherError> {
        if (1..=MAX_PHOTOS).contains(&given) {
            Ok(())
        } else {
            Err(TogetherError::Number { given })
        }
    }

    /// Wraps the error of a photo. Errors of the networks and of the win context are not attributed
    /// to a photo, because they are the same for all.
    pub(crate) fn new(at: usize, error: ReadError) -> TogetherError {
        match error {
            ReadError::Decode(_) | ReadError::Outside(_) => TogetherError::Photo { at, error },
            _ => TogetherError::Hand(error),
        }
    }
}
