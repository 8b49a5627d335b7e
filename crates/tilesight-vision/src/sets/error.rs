//! Errors of learning, merging and reading own sets, in every language.

use tilesight_core::contract::SetName;
use tilesight_core::explain::{Lang, Message, display_english};

use crate::networks::ModelError;
use crate::texts;

/// Error when a set can't be used. The person whose set it is can fix all of these, except for
/// [`SetError::Model`].
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// The file is larger than a set can be.
    TooLarge {
        /// Size of the file.
        bytes: usize,
        /// Maximum size.
        limit: usize,
    },
    /// The file is not a set.
    NotASet,
    /// The file was written by another version of the program.
    Version {
        /// Version of the format.
        found: u64,
    },
    /// The file is damaged, or was not written by this program.
    Broken {
        /// Place in the file, such as `faces[3].prototypes[0].mean`.
        place: String,
    },
    /// No tile has a name.
    NoFaces,
    /// Too many faces for a set.
    TooManyFaces {
        /// Maximum number.
        max: usize,
    },
    /// The networks in use have no embedding.
    NoEmbedding,
    /// Two sets were learned with different classifiers.
    OtherClassifier {
        /// Name of the set that is to be learned again.
        name: SetName,
    },
    /// Two sets have one name.
    Twice {
        /// The name.
        name: SetName,
    },
    /// Too many sets for one shelf.
    TooManySets {
        /// Maximum number.
        max: usize,
    },
    /// The networks do not run. The operator can fix it.
    Model(ModelError),
}

/// Not derived: the text of the error is that of the networks, which as its cause would be printed
/// twice.
impl From<ModelError> for SetError {
    fn from(error: ModelError) -> SetError {
        SetError::Model(error)
    }
}

impl SetError {
    pub(super) fn broken(place: impl Into<String>) -> SetError {
        SetError::Broken { place: place.into() }
    }
}

/// Error when the tiles of a sheet can't be named as asked. The person who laid it out can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SheetError {
    /// The photo shows no tiles.
    NoTiles,
    /// The names are not those of the rows.
    Rows {
        /// Number of rows in the names.
        named: usize,
        /// Number of rows in the photos.
        found: usize,
    },
    /// A row has another number of names than tiles.
    Row {
        /// Number of the row, counted from 1.
        row: usize,
        /// Number of names.
        named: usize,
        /// Number of tiles.
        found: usize,
    },
    /// A name is not a face.
    Name {
        /// Number of the row, counted from 1.
        row: usize,
        /// The name.
        name: String,
    },
    /// A photo of a hand shows no tile of its notation for sure.
    Hand {
        /// Number of tiles in the notation.
        named: usize,
    },
}

display_english!(SetError, SheetError);

impl Message for SetError {
    fn text(&self, lang: Lang) -> String {
        use texts::set_error as set;
        match self {
            SetError::TooLarge { bytes, limit } => set::too_large(lang, bytes, limit),
            SetError::NotASet => set::not_a_set(lang).to_owned(),
            SetError::Version { found } => set::version(lang, found),
            SetError::Broken { place } => set::broken(lang, place),
            SetError::NoFaces => set::no_faces(lang).to_owned(),
            SetError::TooManyFaces { max } => set::too_many_faces(lang, max),
            SetError::NoEmbedding => set::no_embedding(lang).to_owned(),
            SetError::OtherClassifier { name } => set::other_classifier(lang, name),
            SetError::Twice { name } => set::twice(lang, name),
            SetError::TooManySets { max } => set::too_many_sets(lang, max),
            SetError::Model(error) => error.to_string(),
        }
    }
}

impl Message for SheetError {
    fn text(&self, lang: Lang) -> String {
        use texts::sheet_error as sheet;
        match self {
            SheetError::NoTiles => sheet::no_tiles(lang).to_owned(),
            SheetError::Rows { named, found } => sheet::rows(lang, named, found),
            SheetError::Row { row, named, found } => sheet::row(lang, row, named, found),
            SheetError::Name { row, name } => sheet::name(lang, name, row),
            SheetError::Hand { named } => sheet::hand(lang, named),
        }
    }
}
