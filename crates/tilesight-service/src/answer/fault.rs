//! Faults of a request that only the service has, in every language; the contract has the others.
//!
//! Output: a [`ServiceFault`] for each message. Invariant: the field or part is named next to the
//! fault; a new fault does not compile without its texts.

use tilesight_core::explain::{Lang, Message, display_english};

use crate::texts;

/// Fault of a field, a part or a header of a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ServiceFault {
    /// A job without a photo.
    NoPhoto,
    /// Two photos of the same name, although a manifest names them.
    AlikePhotos {
        /// Name of both photos.
        name: String,
    },
    /// A line of the manifest that names a photo that was not sent.
    NoSuchPhoto {
        /// Name in the line.
        name: String,
    },
    /// A photo that no line of the manifest names.
    UnnamedPhoto {
        /// Name of the photo.
        name: String,
    },
    /// A value other than one boolean.
    OneBoolean,
    /// An unusable idempotency key.
    KeyLength {
        /// Maximum number of characters.
        max: usize,
    },
    /// Two manifests.
    TwoManifests,
    /// A body that ended early.
    EarlyEnd,
    /// A form whose parts can't be separated.
    NoBoundary,
    /// A form that can't be parsed.
    BrokenForm,
    /// A player other than the winner, without a hand.
    HandOrPhoto,
    /// A player other than the winner, with two hands.
    HandAndPhoto,
    /// The first result by its index, and by that of the one before.
    FromAndAfter,
    /// A text that is too long.
    LongText {
        /// Maximum number of characters.
        max: usize,
    },
    /// A text that is too long or has unprintable characters.
    PrintableText {
        /// Maximum number of characters.
        max: usize,
    },
    /// An unusable name of a row.
    RowName {
        /// Maximum number of characters.
        max: usize,
    },
    /// Two rows of the same name.
    RowNameTwice {
        /// Name of both rows.
        name: String,
    },
    /// A correction where none is accepted.
    NoCorrections,
    /// A deletion of feedback without a token.
    NoToken,
    /// A precondition that names no revision.
    NotARevision,
    /// No Host header, or several.
    OneHost,
    /// An unusable host.
    BadHost,
    /// More photos than a job may have.
    PhotosOfJob {
        /// Maximum number of photos.
        max: usize,
    },
    /// More bytes than a job may have.
    BytesOfJob {
        /// Maximum number of bytes.
        max: usize,
    },
    /// More reviewers than a photo may have.
    ManyReviewers,
    /// An address that can't be used, or whose receiver did not accept a message and did not
    /// answer. The reason is only in the log, because strangers must not learn what resolves,
    /// listens or has which certificate inside this network.
    WebhookAddress,
    /// An unusable secret.
    WebhookSecret,
    /// A rule set that does not exist.
    NoRuleset {
        /// Ids of the existing rule sets, separated by commas.
        known: String,
    },
    /// A photo that is not in the queue.
    NoReviewedPhoto,
    /// A photo that is not stored any more.
    NoStoredPhoto,
}

display_english!(ServiceFault);

impl Message for ServiceFault {
    fn text(&self, lang: Lang) -> String {
        match self {
            ServiceFault::NoPhoto => texts::request_fault::no_photo(lang).to_owned(),
            ServiceFault::AlikePhotos { name } => {
                texts::request_fault::alike_photos(lang, format_args!("{name:?}"))
            }
            ServiceFault::NoSuchPhoto { name } => {
                texts::request_fault::no_such_photo(lang, format_args!("{name:?}"))
            }
            ServiceFault::UnnamedPhoto { name } => {
                texts::request_fault::unnamed_photo(lang, format_args!("{name:?}"))
            }
            ServiceFault::OneBoolean => texts::request_fault::one_boolean(lang).to_owned(),
            ServiceFault::KeyLength { max } => texts::request_fault::key_length(lang, max),
            ServiceFault::TwoManifests => texts::request_fault::two_manifests(lang).to_owned(),
            ServiceFault::EarlyEnd => texts::request_fault::early_end(lang).to_owned(),
            ServiceFault::NoBoundary => texts::request_fault::no_boundary(lang).to_owned(),
            ServiceFault::BrokenForm => texts::request_fault::broken_form(lang).to_owned(),
            ServiceFault::HandOrPhoto => texts::request_fault::hand_or_photo(lang).to_owned(),
            ServiceFault::HandAndPhoto => texts::request_fault::hand_and_photo(lang).to_owned(),
            ServiceFault::FromAndAfter => texts::request_fault::from_and_after(lang).to_owned(),
            ServiceFault::LongText { max } => texts::request_fault::long_text(lang, max),
            ServiceFault::PrintableText { max } => texts::request_fault::printable_text(lang, max),
            ServiceFault::RowName { max } => texts::request_fault::row_name(lang, max),
            ServiceFault::RowNameTwice { name } => {
                texts::request_fault::row_name_twice(lang, format_args!("{name:?}"))
            }
            ServiceFault::NoCorrections => texts::request_fault::no_corrections(lang).to_owned(),
            ServiceFault::NoToken => texts::request_fault::no_token(lang).to_owned(),
            ServiceFault::NotARevision => texts::request_fault::not_a_revision(lang).to_owned(),
            ServiceFault::OneHost => texts::request_fault::one_host(lang).to_owned(),
            ServiceFault::BadHost => texts::request_fault::bad_host(lang).to_owned(),
            ServiceFault::PhotosOfJob { max } => texts::request_fault::photos_of_job(lang, max),
            ServiceFault::BytesOfJob { max } => texts::request_fault::bytes_of_job(lang, max),
            ServiceFault::ManyReviewers => texts::request_fault::many_reviewers(lang).to_owned(),
            ServiceFault::WebhookAddress => texts::request_fault::webhook_address(lang).to_owned(),
            ServiceFault::WebhookSecret => texts::request_fault::webhook_secret(lang).to_owned(),
            ServiceFault::NoRuleset { known } => texts::request_fault::no_ruleset(lang, known),
            ServiceFault::NoReviewedPhoto => {
                texts::request_fault::no_reviewed_photo(lang).to_owned()
            }
            ServiceFault::NoStoredPhoto => texts::request_fault::no_stored_photo(lang).to_owned(),
        }
    }
}
