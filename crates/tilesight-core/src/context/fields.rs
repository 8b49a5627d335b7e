//! The fields of the win context, each declared once.
//!
//! Each entry of the table at the end has a name, a type and a description. The table generates the
//! fields of [`ContextSetup`], their place in JSON and forms (`contract/context.rs`), in queries
//! and the API document (`crates/tilesight-service/src/openapi.rs`), among the command's flags
//! (`src/cli/args/context.rs`) and in the columns of batches. Code that needs no values visits the
//! fields with a [`FieldDescriber`], code that reads or merges values with a [`FieldVisitor`]. A
//! field of a new type needs a [`ContextValue`] as well.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::value::ContextValue;
use super::{CompletedSet, Count, DeclaredSet, Feeder, Indicators, RiichiCall, WinKind};
use crate::meld::Relation;
use crate::tile::Wind;

/// The name and the description of a field, used wherever it is named or explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldEntry {
    /// Name in JSON, in queries and in columns; flags have hyphens instead of underscores.
    pub name: &'static str,
    words: &'static str,
}

impl FieldEntry {
    /// Returns the description of the field, in full sentences.
    #[must_use]
    pub fn words(&self) -> &'static str {
        self.words.trim()
    }
}

/// Visits all fields of one [`ContextSetup`], or of two side by side.
pub trait FieldVisitor {
    /// Visits a field with its values; the returned value becomes the field's value in the result.
    fn visit<T: ContextValue>(
        &mut self,
        field: &FieldEntry,
        one: Option<T>,
        other: Option<T>,
    ) -> Option<T>;
}

/// Visits all fields without values, to describe flags, queries or JSON.
pub trait FieldDescriber {
    /// Visits a field of the type `T`.
    fn field<T: ContextValue>(&mut self, field: &FieldEntry);
}

macro_rules! context_fields {
    (
        $($(#[doc = $words:literal])+ $variant:ident => $name:ident: $type:ty,)+
        besides
        $($(#[doc = $more_words:literal])+ $more:ident: $more_type:ty,)+
    ) => {
        /// A field that a complete [`Context`](super::Context) has, named as in the contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ContextField {
            $($(#[doc = $words])+ $variant,)+
        }

        impl ContextField {
            /// Returns the name in the contract.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(ContextField::$variant => stringify!($name),)+
                }
            }
        }

        /// The win context as it was given; absent fields get defaults.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct ContextSetup {
            $($(#[doc = $words])+ pub $name: Option<$type>,)+
            $($(#[doc = $more_words])+ pub $more: Option<$more_type>,)+
        }

        impl ContextSetup {
            /// All fields, in the order of the contract.
            pub const FIELDS: &'static [FieldEntry] = &[
                $(FieldEntry { name: stringify!($name), words: concat!($($words),+) },)+
                $(FieldEntry { name: stringify!($more), words: concat!($($more_words),+) },)+
            ];

            /// Visits the fields of two setups, in the order of the contract, and returns the setup
            /// of the values that the visitor returned.
            pub fn zip(&self, other: &ContextSetup, visitor: &mut impl FieldVisitor) -> ContextSetup {
                let mut entries = ContextSetup::FIELDS.iter();
                ContextSetup {
                    $($name: visitor.visit(take_entry(&mut entries), self.$name, other.$name),)+
                    $($more: visitor.visit(take_entry(&mut entries), self.$more, other.$more),)+
                }
            }

            /// Visits the fields without values, in the order of the contract.
            pub fn describe(describer: &mut impl FieldDescriber) {
                let mut entries = ContextSetup::FIELDS.iter();
                $(describer.field::<$type>(take_entry(&mut entries));)+
                $(describer.field::<$more_type>(take_entry(&mut entries));)+
            }
        }
    };
}

fn take_entry(entries: &mut std::slice::Iter<'static, FieldEntry>) -> &'static FieldEntry {
    entries.next().expect("an entry for each field")
}

impl ContextSetup {
    /// Visits the fields of one setup.
    pub fn visit(&self, visitor: &mut impl FieldVisitor) -> ContextSetup {
        self.zip(&ContextSetup::default(), visitor)
    }

    /// Returns this setup with its absent fields taken from another.
    #[must_use]
    pub fn or(&self, other: &ContextSetup) -> ContextSetup {
        struct Or;

        impl FieldVisitor for Or {
            fn visit<T>(&mut self, _: &FieldEntry, one: Option<T>, other: Option<T>) -> Option<T> {
                one.or(other)
            }
        }

        self.zip(other, &mut Or)
    }
}

impl fmt::Display for ContextField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

context_fields! {
    /// The winner's seat wind; East when absent.
    Seat => seat: Wind,
    /// The wind of the round; East when absent.
    Prevalent => prevalent: Wind,
    /// Source of the winning tile; a discard when absent.
    Win => win: WinKind,
    /// Player who discarded the winning tile, or added it to the kong that was robbed; the left
    /// player when absent.
    From => from: Relation,
    /// The winning tile was the last tile of the wall, or the discard after it.
    LastWallTile => last_wall_tile: bool,
    /// All other tiles of the winning tile's kind lay open. If all three are in the hand's
    /// own exposed sets, this counts as `true` even when it is `false`.
    LastOfKind => last_of_kind: bool,
    /// Declarations made at the table, separated by commas; in JSON also as a list. Rule sets
    /// without a line for a declaration ignore it.
    Declared => declared: DeclaredSet,
    /// Set that the winning tile completed, given by its tiles, such as `456m`, `111p` or `EE`; the
    /// set that scores most when absent.
    Completes => completes: CompletedSet,
    /// Player who fed the set that decides who pays: in MMM the third pung of dragons or the fourth
    /// of winds. Needed only where several players fed these sets; other rules ignore it.
    Feeder => feeder: Feeder,
    /// Whether the winner declared riichi: `no`, `riichi`, or `double` for riichi on the first
    /// discard; `no` when absent.
    Riichi => riichi: RiichiCall,
    /// The hand won within one go-around after riichi, before any call or kong.
    Ippatsu => ippatsu: bool,
    /// Face-up dora indicators, separated by commas; in JSON also as a list.
    DoraIndicators => dora_indicators: Indicators,
    /// Indicators under the face-up ones, which count only with riichi; written in the same way.
    UraIndicators => ura_indicators: Indicators,
    /// Number of counters (honba) on the table; 0 when absent.
    Honba => honba: Count,
    /// Number of riichi sticks on the table, the winner's own among them; 0 when absent.
    RiichiSticks => riichi_sticks: Count,
    /// Number of norths that the winner set aside as dora, where three play; they are not among the
    /// tiles of the hand, and with these at most four. 0 when absent.
    Norths => norths: Count,
    /// Seat of the dealer, where it need not be East's: in the game of sixteen tiles the opened
    /// wall gives the winds. East when absent.
    Dealer => dealer: Wind,
    /// Number of deals that the dealer has stayed on, in the game of sixteen tiles; 0 when absent.
    DealerStreak => dealer_streak: Count,
    besides
    /// Whether the hand won. `false` is for a photo of a hand that did not win: such a hand needs
    /// no winning tile, and is scored only by rules that score every player.
    won: bool,
}

impl ContextField {
    /// Fields that a photo of a hand does not show, in the order in which they change its score:
    /// those of riichi, and of the game of sixteen tiles a ready hand that was declared, and the
    /// dealer, on whom the payments hang.
    pub const UNSEEN: [ContextField; 7] = [
        ContextField::Riichi,
        ContextField::Ippatsu,
        ContextField::DoraIndicators,
        ContextField::Norths,
        ContextField::Declared,
        ContextField::Dealer,
        ContextField::DealerStreak,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_belong_to_their_fields() {
        struct Names<'a>(&'a mut Vec<&'static str>);

        impl FieldVisitor for Names<'_> {
            fn visit<T>(&mut self, field: &FieldEntry, one: Option<T>, _: Option<T>) -> Option<T> {
                self.0.extend(one.is_some().then_some(field.name));
                one
            }
        }

        let setup = ContextSetup { from: Some(Relation::Left), won: Some(true), ..<_>::default() };
        let mut names = Vec::new();
        assert_eq!(setup.visit(&mut Names(&mut names)), setup);
        assert_eq!(names, ["from", "won"]);
        assert_eq!(ContextSetup::FIELDS[4].name, ContextField::LastWallTile.name());
    }

    #[test]
    fn absent_fields_are_taken_from_the_other() {
        let one = ContextSetup { seat: Some(Wind::South), ..<_>::default() };
        let other = ContextSetup { seat: Some(Wind::West), won: Some(false), ..<_>::default() };
        assert_eq!(one.or(&other), ContextSetup { seat: Some(Wind::South), ..other });
    }
}
