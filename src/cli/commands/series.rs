//! `tilesight series`: a league or a tournament on the command line, in a folder that a service may
//! use too.
//!
//! Input: the folder, the series by its id or a prefix of it, and what to change. Output: the
//! series as text, or the JSON of the service.

mod refusal;
mod sheet;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::evening::GameError;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Profile;
use tilesight_core::series::{
    FixedScore, NewSeriesDto, Order, Progress, RankingDto, Series, SeriesAction, SeriesError,
    SeriesPlayer, SeriesSummary, SeriesTableKind, read_results,
};
use tilesight_files::input;
use tilesight_jobs::EmbeddedStore;
use tilesight_jobs::evenings::EveningStore;
use tilesight_jobs::series::{Organiser, SeriesStore, StoredSeries, read_table};
use tilesight_jobs::series_table::{SeriesTableError, series_table};
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::table_file::SheetFormat;
use tokio::runtime::Builder;

use self::refusal::Refusal;
use super::journal::{
    self, CommandError, FolderJournal, FolderJournals, print, print_file, print_json, store_error,
};
use crate::cli::args::rulesets;
use crate::cli::output::{Exit, Stop};
use crate::config::choice::one_of;

/// Maximum size of a table of results, in bytes.
const MAX_TABLE_BYTES: usize = 1024 * 1024;

/// Arguments of `tilesight series`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder that the series are kept in, as for `tilesight serve --data`
    #[arg(long, env = "TILESIGHT_DATA", value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
    /// Print the series as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Language of the series as text and of messages: en, de, da, sv, ja, zh or zh-Hant
    #[arg(long, default_value = "en", global = true)]
    lang: Lang,
    #[command(subcommand)]
    what: SeriesCommand,
}

/// The subcommand.
#[derive(Debug, clap::Subcommand)]
enum SeriesCommand {
    /// Starts a series
    New(NewArgs),
    /// Lists the series; with --json as an array
    List,
    /// Shows players, rounds, tables, standings and records
    Show {
        /// Id of the series, or the beginning of it
        series: String,
        /// Round after which the standings are shown; the last one with a result by default
        #[arg(long, value_name = "NUMBER")]
        round: Option<u32>,
    },
    /// Adds players
    Add {
        /// Id of the series, or the beginning of it
        series: String,
        /// Names of the players
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Corrects the name of a player
    Rename {
        /// Id of the series, or the beginning of it
        series: String,
        /// Name of the player until now
        player: String,
        /// Name from now on
        name: String,
    },
    /// Seats a player no longer
    Leave {
        /// Id of the series, or the beginning of it
        series: String,
        /// Name of the player
        player: String,
    },
    /// Seats a player again who had left
    Return {
        /// Id of the series, or the beginning of it
        series: String,
        /// Name of the player
        player: String,
    },
    /// Seats the next round, so that few players meet again
    Seat(SeatArgs),
    /// Puts a substitute on the chair of a player in a round
    Replace {
        /// Id of the series, or the beginning of it
        series: String,
        /// Number of the round
        round: u32,
        /// Name of the absent player
        player: String,
        /// Name of the substitute: a player who rests in the round, or somebody else; without it,
        /// the player sits there again
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
    },
    /// Opens the evening of a table as a game, for `tilesight game`
    Open {
        /// Id of the series, or the beginning of it
        series: String,
        /// Number of the round
        round: u32,
        /// Number of the table
        table: u32,
        /// Id of a game that is there already
        #[arg(long, value_name = "GAME")]
        game: Option<String>,
    },
    /// Takes the results of a round from its evenings that are over
    Collect {
        /// Id of the series, or the beginning of it
        series: String,
        /// Number of the round
        round: u32,
        /// Number of the table; all tables by default
        table: Option<u32>,
    },
    /// Enters the points of a table
    Result {
        /// Id of the series, or the beginning of it
        series: String,
        /// Number of the round
        round: u32,
        /// Number of the table
        table: u32,
        /// Points in the order of the seats: gains and losses, or the points at the end
        #[arg(required = true, num_args = 3..=4, allow_negative_numbers = true)]
        points: Vec<i32>,
    },
    /// Removes the result of a table
    Clear {
        /// Id of the series, or the beginning of it
        series: String,
        /// Number of the round
        round: u32,
        /// Number of the table
        table: u32,
    },
    /// Gives or takes points of a player
    Penalty(PenaltyArgs),
    /// Changes the title, the number of rounds or the rules of ranking
    Set {
        /// Id of the series, or the beginning of it
        series: String,
        /// Title of the series
        #[arg(long)]
        title: Option<String>,
        #[command(flatten)]
        ranking: RankingArgs,
    },
    /// Enters results from a table of a spreadsheet
    Import {
        /// Id of the series, or the beginning of it
        series: String,
        /// File with the columns round, table, player_1, points_1 and so on
        file: PathBuf,
        /// Add players whose names are unknown
        #[arg(long)]
        add_players: bool,
    },
    /// Prints a table as CSV, or as a workbook
    Export {
        /// Id of the series, or the beginning of it
        series: String,
        /// Table to print: the standings, or the results in the form that `import` reads
        #[arg(long, value_parser = one_of(&SeriesTableKind::ALL, SeriesTableKind::name), value_name = "TABLE", default_value_t)]
        table: SeriesTableKind,
        /// Round after which the standings are printed; the last one with a result by default
        #[arg(long, value_name = "NUMBER")]
        round: Option<u32>,
        /// Print a workbook of Excel, for a file that ends in .xlsx
        #[arg(long, conflicts_with = "style")]
        xlsx: bool,
        /// Format of the CSV: `excel` uses semicolons and decimal commas, and starts with the mark
        /// by which Excel recognizes UTF-8
        #[arg(long = "csv", value_parser = one_of(&CsvStyle::ALL, CsvStyle::name), value_name = "STYLE", default_value_t)]
        style: CsvStyle,
    },
    /// Undoes the last change
    Undo {
        /// Id of the series, or the beginning of it
        series: String,
    },
    /// Finishes a series
    Finish {
        /// Id of the series, or the beginning of it
        series: String,
    },
    /// Gives series to the holder of a key; once the service requires keys, only this key has
    /// access
    Give {
        /// Name of the key, as in the file of keys
        #[arg(value_name = "NAME")]
        to: String,
        /// Ids of the series; by default all without an owner
        #[arg(value_name = "SERIES")]
        series: Vec<String>,
    },
    /// Deletes a series and its history; its games stay
    Delete {
        /// Id of the series, or the beginning of it
        series: String,
    },
}

/// A new series.
#[derive(Debug, clap::Args)]
struct NewArgs {
    /// Title of the series
    #[arg(long)]
    title: String,
    /// Names of the players, separated by commas; more can be added later
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    players: Vec<String>,
    /// Rules to play by: a name from `tilesight rules list`, or the file of a profile
    #[arg(long, value_name = "RULES", value_parser = rulesets::parse_named, default_value = "mcr-wmo")]
    ruleset: Arc<Profile>,
    #[command(flatten)]
    ranking: RankingArgs,
}

/// Rules of ranking; by default those that are usual for the rule set.
#[derive(Debug, clap::Args)]
struct RankingArgs {
    /// Number of rounds that are planned, by which the seating looks ahead; 0 if that is open
    #[arg(long, value_name = "NUMBER")]
    rounds: Option<u32>,
    /// Number that decides the places
    #[arg(long, value_parser = one_of(&Order::ALL, Order::name), value_name = "ORDER")]
    order: Option<Order>,
    /// Table points of each place at a table, separated by commas
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    table_points: Option<Vec<u32>>,
    /// Uma of each place at a table, separated by commas
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', allow_hyphen_values = true)]
    uma: Option<Vec<i32>>,
    /// Number of best rounds of a player that count; 0 if all do
    #[arg(long, value_name = "NUMBER")]
    best: Option<u32>,
    /// Table points of a round in which a player rests
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    rest: Option<i32>,
    /// Whether a player has the score that a substitute made in their place
    #[arg(long, value_name = "BOOL")]
    substitutes_count: Option<bool>,
}

/// A round to seat.
#[derive(Debug, clap::Args)]
struct SeatArgs {
    /// Id of the series, or the beginning of it
    series: String,
    /// Round to seat anew, if nothing was played in it yet; the next one by default
    #[arg(long, value_name = "NUMBER")]
    round: Option<u32>,
    /// Seed; another one finds another seating
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u32>,
    /// Names of the players who are absent, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    absent: Vec<String>,
    /// Names of guests who may fill tables, separated by commas; as many sit as are needed
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    guests: Vec<String>,
}

/// Points that are given or taken.
#[derive(Debug, clap::Args)]
struct PenaltyArgs {
    /// Id of the series, or the beginning of it
    series: String,
    /// Name of the player
    player: String,
    /// Round in which it counts; always by default
    #[arg(long, value_name = "NUMBER")]
    round: Option<u32>,
    /// Table points, negative if they are taken
    #[arg(long, value_name = "NUMBER", default_value_t, allow_negative_numbers = true)]
    table_points: i32,
    /// Points, negative if they are taken
    #[arg(long, value_name = "NUMBER", default_value_t, allow_negative_numbers = true)]
    points: i32,
    /// Reason for the sheet
    #[arg(long)]
    note: Option<String>,
}

impl RankingArgs {
    fn ranking(&self) -> RankingDto {
        RankingDto {
            order: self.order,
            table_points: self.table_points.clone(),
            uma: self.uma.clone(),
            best: self.best,
            rest: self.rest.map(|table_points| FixedScore { table_points, points: 0 }),
            substitutes_count: self.substitutes_count,
            ..RankingDto::default()
        }
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Problem(Problem::from_message(ProblemKind::InvalidSeries, &refusal))
    }
}

impl From<SeriesError> for CommandError {
    fn from(error: SeriesError) -> CommandError {
        CommandError::Problem(Problem::from(&error))
    }
}

impl From<SeriesTableError> for CommandError {
    fn from(error: SeriesTableError) -> CommandError {
        match error {
            SeriesTableError::Series(error) => error.into(),
            other => CommandError::Failed(other.into()),
        }
    }
}

impl FolderJournal for Series {
    fn no_folder() -> CommandError {
        Refusal::NoFolder.into()
    }

    fn not_found(text: &str) -> CommandError {
        Refusal::NoSeries(text.to_owned()).into()
    }

    fn ambiguous(text: &str) -> CommandError {
        Refusal::Several(text.to_owned()).into()
    }

    fn stale() -> CommandError {
        Refusal::Stale.into()
    }

    fn refuse(error: SeriesError) -> CommandError {
        error.into()
    }
}

/// Runs the subcommand.
///
/// # Errors
/// When the folder can't be used, or the change can't be made.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(act(args)).map_err(|error| error.into_stop(args.lang, String::new()))?;
    Ok(Exit::Done)
}

async fn act(args: &Args) -> Result<(), CommandError> {
    let embedded = journal::open::<Series>(args.data.as_deref())?;
    let games = EveningStore::new(Arc::<EmbeddedStore>::clone(&embedded));
    let all = FolderJournals(SeriesStore::new(embedded));
    match &args.what {
        SeriesCommand::New(new) => show(args, &all.create(begin(new)?).await?, None),
        SeriesCommand::List => print_list(args, &all.all().await?),
        SeriesCommand::Show { series, round } => show(args, &all.find(series).await?, *round),
        SeriesCommand::Export { series, table, round, xlsx, style } => {
            let found = all.find(series).await?;
            let format = if *xlsx { SheetFormat::Workbook } else { SheetFormat::Csv(*style) };
            let file = series_table(&found.document.journal, *table, *round, format)?;
            print_file(&file)
        }
        SeriesCommand::Delete { series } => all.delete(series).await,
        SeriesCommand::Give { to, series } => print_list(args, &all.give(to, series).await?),
        command => {
            let found = all.find(series_of(command)).await?;
            let action = completed_action(&games, &found, command).await?;
            show(args, &all.change(found, action).await?, None)
        }
    }
}

fn begin(new: &NewArgs) -> Result<Series, SeriesError> {
    let series = NewSeriesDto {
        title: new.title.clone(),
        ruleset: None,
        players: new.players.clone(),
        rounds: new.ranking.rounds.unwrap_or_default(),
        ranking: new.ranking.ranking(),
    };
    series.begin_by(Arc::clone(&new.ruleset))
}

/// Returns the action that a command means, with the games that it needs.
async fn completed_action(
    games: &EveningStore,
    found: &StoredSeries,
    command: &SeriesCommand,
) -> Result<SeriesAction, CommandError> {
    let action = action(found, command)?;
    let by = Organiser { owner: found.document.owner.as_deref(), address: None };
    games.complete(found, action, by).await.map_err(store_error::<Series>)
}

/// Returns the series that a change names.
fn series_of(change: &SeriesCommand) -> &str {
    match change {
        SeriesCommand::Seat(SeatArgs { series, .. })
        | SeriesCommand::Penalty(PenaltyArgs { series, .. })
        | SeriesCommand::Add { series, .. }
        | SeriesCommand::Rename { series, .. }
        | SeriesCommand::Leave { series, .. }
        | SeriesCommand::Return { series, .. }
        | SeriesCommand::Replace { series, .. }
        | SeriesCommand::Open { series, .. }
        | SeriesCommand::Collect { series, .. }
        | SeriesCommand::Result { series, .. }
        | SeriesCommand::Clear { series, .. }
        | SeriesCommand::Set { series, .. }
        | SeriesCommand::Import { series, .. }
        | SeriesCommand::Export { series, .. }
        | SeriesCommand::Undo { series }
        | SeriesCommand::Finish { series }
        | SeriesCommand::Show { series, .. }
        | SeriesCommand::Delete { series } => series,
        SeriesCommand::New(_) | SeriesCommand::List | SeriesCommand::Give { .. } => "",
    }
}

/// Returns the action that a command means.
fn action(found: &StoredSeries, change: &SeriesCommand) -> Result<SeriesAction, CommandError> {
    let progress = found.document.journal.progress()?;
    Ok(match change {
        SeriesCommand::Add { names, .. } => SeriesAction::AddPlayers { names: names.clone() },
        SeriesCommand::Rename { player, name, .. } => {
            let player = find_player(&progress, player)?;
            SeriesAction::RenamePlayer { player, name: name.clone() }
        }
        SeriesCommand::Leave { player, .. } => {
            SeriesAction::Leave { player: find_player(&progress, player)? }
        }
        SeriesCommand::Return { player, .. } => {
            SeriesAction::Return { player: find_player(&progress, player)? }
        }
        SeriesCommand::Seat(seat) => {
            let absent = seat.absent.iter().map(|name| find_player(&progress, name));
            SeriesAction::Seat {
                round: seat.round,
                seed: seat.seed,
                absent: absent.collect::<Result<_, _>>()?,
                guests: seat.guests.clone(),
                tables: Vec::new(),
            }
        }
        SeriesCommand::Replace { round, player, by, .. } => {
            let player = find_player(&progress, player)?;
            let other = by.as_deref().and_then(|name| progress.player_named(name));
            let guest = by.clone().filter(|_| other.is_none());
            SeriesAction::Replace { round: *round, player, by: other, guest }
        }
        SeriesCommand::Penalty(penalty) => SeriesAction::Penalty {
            player: find_player(&progress, &penalty.player)?,
            round: penalty.round,
            value: FixedScore { table_points: penalty.table_points, points: penalty.points },
            note: penalty.note.clone(),
        },
        SeriesCommand::Set { title, ranking, .. } => SeriesAction::Settings {
            title: title.clone(),
            ranking: Some(ranking.ranking()),
            rounds: ranking.rounds,
        },
        SeriesCommand::Import { file, add_players, .. } => {
            let bytes =
                input::read(file, MAX_TABLE_BYTES).with_context(|| file.display().to_string())?;
            let table = read_table(&bytes).map_err(|error| {
                CommandError::Problem(Problem::from_message(ProblemKind::InvalidSeries, &error))
            })?;
            read_results(&progress, &table, *add_players)?
        }
        SeriesCommand::Undo { .. } => {
            let last = found.document.journal.undoable();
            let nothing = SeriesError::from(GameError::NothingToUndo);
            SeriesAction::Undo { change: last.ok_or(nothing)? }
        }
        of_table => return Ok(action_on_table(of_table)),
    })
}

/// Returns the action of a command that names a table, or nothing but the series.
fn action_on_table(change: &SeriesCommand) -> SeriesAction {
    match change {
        SeriesCommand::Open { round, table, game, .. } => {
            SeriesAction::Open { round: *round, table: *table, game: game.clone() }
        }
        SeriesCommand::Collect { round, table, .. } => {
            SeriesAction::Collect { round: *round, table: *table, collected: Vec::new() }
        }
        SeriesCommand::Result { round, table, points, .. } => {
            SeriesAction::Result { round: *round, table: *table, points: points.clone() }
        }
        SeriesCommand::Clear { round, table, .. } => {
            SeriesAction::Clear { round: *round, table: *table }
        }
        _ => SeriesAction::Finish,
    }
}

/// Returns the player that a name means.
fn find_player(progress: &Progress, name: &str) -> Result<SeriesPlayer, CommandError> {
    let found = progress.player_named(name.trim());
    found.ok_or_else(|| Refusal::NoPlayer(name.trim().to_owned()).into())
}

/// Prints one line per series, or an array of all.
fn print_list(args: &Args, all: &[StoredSeries]) -> Result<(), CommandError> {
    let mut summaries = Vec::new();
    for one in all {
        let series = &one.document.journal;
        summaries.push(SeriesSummary::new(series, one.id.as_str(), one.revision.0)?);
    }
    if args.json {
        return print_json(&summaries);
    }
    let lines = summaries.iter().map(|one| sheet::summary(one, args.lang));
    print(lines.collect::<String>().as_bytes())
}

fn show(args: &Args, found: &StoredSeries, round: Option<u32>) -> Result<(), CommandError> {
    let view = found.view(round)?;
    if args.json {
        return print_json(&view);
    }
    print(sheet::table(&view, args.lang).as_bytes())
}
