//! The fields of a request about a photo, each declared once.
//!
//! The table at the end has the name, the type, the description and an example of each field beside
//! the win context and the rule sets. It generates [`PhotoFields`], the fields of JSON objects
//! ([`photo_json!`](crate::photo_json)), and what queries, forms, flags and the API document need.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::scoring::{Scoring, merge_values};
use super::{ContextDto, Problem, ProblemKind};
use crate::explain::Message;

/// The name, the description and an example of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhotoField {
    /// Name in JSON, queries, forms, manifests and flags.
    pub name: &'static str,
    words: &'static str,
    /// Value as a text.
    pub example: &'static str,
    /// Form of the text, for the command's help.
    pub placeholder: &'static str,
}

impl PhotoField {
    /// Returns the description of the field, in full sentences.
    #[must_use]
    pub fn words(&self) -> &'static str {
        self.words.trim()
    }
}

/// Visits the fields without values, to describe a query or a form.
pub trait PhotoFieldDescriber {
    /// Visits a field of the type `T`.
    fn field<T: ToSchema>(&mut self, field: &PhotoField);
}

/// Passes the table of fields to another macro, after the tokens that it was called with.
#[doc(hidden)]
#[macro_export]
macro_rules! with_photo_fields {
    ($macro:path { $($before:tt)* }) => {
        $macro! {
            $($before)*
            /// Point in the hand to read, for a photo that shows several hands: pixels of the
            /// upright photo, as in `reading.hands_in_view`; as text `412,300`.
            focus: $crate::contract::FocusDto = "412,300" as "X,Y",
            /// Part of the photo that contains the hand, in pixels of the upright photo: 3 to 32
            /// corners of a polygon, or 2 corners of a box; as text `96,310 1460,610`. Tiles whose
            /// centers lie outside are ignored.
            region: $crate::contract::RegionDto = "96,310 1460,610" as "X,Y X,Y ...",
            /// Own set that the tiles are named with: its name, or `auto` for the set that explains
            /// the photo best. The answer says which was used.
            set: $crate::contract::SetChoice = "auto" as "NAME",
        }
    };
}

/// Declares a JSON object with fields of its own and those of a request about a photo. Its method
/// `photo_fields` takes the latter out.
#[macro_export]
macro_rules! photo_json {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($own:tt)* }) => {
        $crate::with_photo_fields! { $crate::photo_json_struct { [$(#[$meta])* $vis struct $name] { $($own)* } } }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! photo_json_struct {
    (
        [$(#[$meta:meta])* $vis:vis struct $name:ident] { $($own:tt)* }
        $($(#[doc = $words:literal])+ $field:ident: $type:ty = $example:literal as $placeholder:literal,)+
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($own)*
            /// Win context and rule set.
            #[serde(default, deserialize_with = "tilesight_core::contract::object_or_null")]
            #[schema(value_type = Option<$crate::contract::ContextDto>)]
            pub context: $crate::contract::ContextDto,
            /// Rule sets by which to score side by side.
            #[serde(default)]
            #[schema(value_type = Option<$crate::contract::RulesetList>)]
            pub rulesets: Option<Vec<$crate::rules::RulesetId>>,
            $($(#[doc = $words])+ #[serde(default)] pub $field: Option<$type>,)+
        }

        impl $name {
            /// Takes the fields of the request about the photo.
            $vis fn photo_fields(&mut self) -> $crate::contract::PhotoFields {
                $crate::contract::PhotoFields {
                    scoring: $crate::contract::Scoring {
                        context: self.context,
                        rulesets: self.rulesets.take(),
                    },
                    $($field: self.$field.take(),)+
                }
            }
        }
    };
}

macro_rules! photo_fields {
    ($($(#[doc = $words:literal])+ $name:ident: $type:ty = $example:literal as $placeholder:literal,)+) => {
        /// Fields of a request about the photos of a hand.
        #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
        pub struct PhotoFields {
            /// The win context and the rule sets.
            #[serde(flatten)]
            pub scoring: Scoring,
            $($(#[doc = $words])+ #[serde(default, skip_serializing_if = "Option::is_none")] pub $name: Option<$type>,)+
        }

        impl PhotoFields {
            /// Fields beside the win context and the rule sets.
            pub const FIELDS: &'static [PhotoField] = &[
                $(PhotoField {
                    name: stringify!($name),
                    words: concat!($($words),+),
                    example: $example,
                    placeholder: $placeholder,
                },)+
            ];

            /// Visits the fields beside the win context and the rule sets.
            pub fn describe(describer: &mut impl PhotoFieldDescriber) {
                let mut entries = PhotoFields::FIELDS.iter();
                $(describer.field::<$type>(entries.next().expect("an entry for each field"));)+
            }

            /// Sets one of [`FIELDS`](PhotoFields::FIELDS) to the value of a text. Any other name
            /// changes nothing.
            ///
            /// # Errors
            /// A [`Problem`] with the field whose text is not a value of it.
            pub fn set_text(&mut self, name: &str, text: &str) -> Result<(), Problem> {
                match name {
                    $(stringify!($name) => self.$name = Some(parse(name, text)?),)+
                    _ => {}
                }
                Ok(())
            }

            /// Returns these fields with the absent ones taken from others.
            #[must_use]
            pub fn or(self, other: PhotoFields) -> PhotoFields {
                PhotoFields {
                    scoring: self.scoring.or(other.scoring),
                    $($name: self.$name.or(other.$name),)+
                }
            }

            /// Merges the fields of two sources, such as the query and the body.
            ///
            /// # Errors
            /// A [`Problem`] with the fields for which the sources differ.
            pub fn merge(self, other: PhotoFields) -> Result<PhotoFields, Problem> {
                Ok(PhotoFields {
                    $($name: merge_values(stringify!($name), self.$name, other.$name)?,)+
                    scoring: self.scoring.merge(other.scoring)?,
                })
            }
        }
    };
}

impl From<ContextDto> for PhotoFields {
    fn from(context: ContextDto) -> PhotoFields {
        PhotoFields { scoring: Scoring { context, rulesets: None }, ..PhotoFields::default() }
    }
}

fn parse<T: FromStr<Err: Message>>(name: &str, text: &str) -> Result<T, Problem> {
    text.parse()
        .map_err(|error: T::Err| Problem::for_field(ProblemKind::MalformedRequest, name, &error))
}

with_photo_fields! { photo_fields {} }
