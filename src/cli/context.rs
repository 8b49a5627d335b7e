//! The circumstances of a win as flags or as a file, the same for every command that scores.

use std::path::PathBuf;

use clap::Args;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};

use crate::context::{CompletedSet, DeclaredSet, Feeder, WinKind};
use crate::contract::{ContextDto, Problem, ProblemKind};
use crate::meld::Relation;
use crate::rules::RulesetId;
use crate::tile::Wind;

/// The circumstances; what is absent is assumed and reported as assumed.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Circumstances")]
pub struct ContextArgs {
    /// A JSON file with these fields; flags must not contradict it
    #[arg(long, value_name = "FILE")]
    context: Option<PathBuf>,
    /// Rules to score by: a name from `tilesight rules list`, or the file of a profile
    /// [default: mcr-wmo]
    #[arg(long, value_name = "RULES", value_parser = super::rules::named)]
    ruleset: Option<RulesetId>,
    /// Seat wind of the winner: E, S, W or N
    #[arg(long, value_name = "WIND", value_parser = named::<Wind>)]
    seat: Option<Wind>,
    /// Prevalent wind: E, S, W or N
    #[arg(long, value_name = "WIND", value_parser = named::<Wind>)]
    prevalent: Option<Wind>,
    /// self_drawn, discard, kong_replacement or robbed_kong
    #[arg(long, value_name = "HOW", value_parser = named::<WinKind>)]
    win: Option<WinKind>,
    /// Whose tile it was: left, across or right
    #[arg(long, value_name = "PLAYER", value_parser = named::<Relation>)]
    from: Option<Relation>,
    /// Won on the last tile of the wall, or on the discard after it
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    last_wall_tile: Option<bool>,
    /// The three other tiles of the kind lie open (fan 58); three in the hand's own exposed sets
    /// count whatever is said here
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    last_of_kind: Option<bool>,
    /// What was declared, with commas: original_call, twofold_fortune, heaven, earth,
    /// ninth_east_win, flower_replacement, dangerous_game
    #[arg(long, value_name = "CODES")]
    declared: Option<DeclaredSet>,
    /// Which set the winning tile completed, such as 456m, 111p or EE [default: the one worth most]
    #[arg(long, value_name = "SET")]
    completes: Option<CompletedSet>,
    /// MMM: who fed the third pung of dragons or the fourth of winds, where several players fed
    /// these sets: left, across, right or nobody
    #[arg(long, value_name = "PLAYER", value_parser = named::<Feeder>)]
    feeder: Option<Feeder>,
    /// Photos: whether the hand is the one that won; =false for the hand of another player
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    won: Option<bool>,
}

impl ContextArgs {
    /// The circumstances of flags and file together.
    ///
    /// # Errors
    /// A [`Problem`] when the file can't be read or contradicts the flags.
    pub fn read(&self) -> Result<ContextDto, Problem> {
        let flags = ContextDto {
            ruleset: self.ruleset,
            seat: self.seat,
            prevalent: self.prevalent,
            win: self.win,
            from: self.from,
            last_wall_tile: self.last_wall_tile,
            last_of_kind: self.last_of_kind,
            declared: self.declared,
            completes: self.completes,
            feeder: self.feeder,
            won: self.won,
        };
        let Some(path) = &self.context else { return Ok(flags) };
        let text = std::fs::read(path).map_err(|error| {
            let detail = format!("{}: {error}", path.display());
            Problem::new(ProblemKind::MalformedRequest, detail)
        })?;
        ContextDto::from_json(&text)?
            .merge(&flags)
            .map_err(|errors| Problem::with_errors(ProblemKind::InvalidContext, errors))
    }
}

/// Reads a value by the name it has in JSON.
pub(super) fn named<T: DeserializeOwned>(name: &str) -> Result<T, ValueError> {
    let deserializer: StrDeserializer<'_, ValueError> = name.into_deserializer();
    T::deserialize(deserializer)
}
