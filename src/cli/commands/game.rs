//! `tilesight game`: the score sheet of an evening on the command line, in a folder that a service
//! may use too.
//!
//! Input: the folder, the game by its id or a prefix of it, and the event to enter. Output: the
//! sheet as text, or the JSON of the service.

mod describe;
mod refusal;
mod sheet;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use tilesight_core::contract::{ContextDto, Problem, ProblemKind};
use tilesight_core::evening::{
    Action, Draw, EntryId, ExhaustiveDraw, Game, GameError, GameSummary, HandPoints, HandText,
    Manual, OfPlayer, Other, Play, Player, PlayerPoints, Reason, RiichiStick, Win,
};
use tilesight_core::explain::Lang;
use tilesight_core::notation::Notation;
use tilesight_core::rules::Profile;
use tilesight_core::rules::law::AbortKind;
use tilesight_jobs::evenings::{EveningStore, StoredEvening};
use tilesight_jobs::plan::read_photo;
use tilesight_jobs::score_sheet::{ScoreSheetError, score_sheet};
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::table_file::SheetFormat;
use tilesight_vision::{DecodeLimits, NoHand, ReadOptions, Reader, Status};
use tokio::runtime::Builder;

use self::refusal::Refusal;
use super::journal::{
    self, CommandError, FolderJournal, FolderJournals, print, print_file, print_json,
};
use crate::cli::args::context::ContextArgs;
use crate::cli::args::device::DeviceArgs;
use crate::cli::args::rulesets;
use crate::cli::args::sets::{self, SetArgs};
use crate::cli::output::{Exit, Stop};
use crate::config::choice::one_of;

/// Arguments of `tilesight game`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder that the games are kept in, as for `tilesight serve --data`
    #[arg(long, env = "TILESIGHT_DATA", value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
    /// Print the game as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Language of the sheet, of messages, and of the names of lines in JSON: en, de, da, sv, ja,
    /// zh or zh-Hant
    #[arg(long, default_value = "en", global = true)]
    lang: Lang,
    #[command(subcommand)]
    what: GameCommand,
}

/// The subcommand.
#[derive(Debug, clap::Subcommand)]
enum GameCommand {
    /// Starts a game
    New {
        /// Names of the players, separated by commas, in the order of their first seats: East,
        /// South, West, and North where four play
        #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
        players: Vec<String>,
        /// Title of the game
        #[arg(long, default_value = "")]
        title: String,
        /// Rules to play by: a name from `tilesight rules list`, or the file of a profile
        #[arg(long, value_name = "RULES", value_parser = rulesets::parse_named, default_value = "mcr-wmo")]
        ruleset: Arc<Profile>,
    },
    /// Lists the games; with --json as an array
    List,
    /// Shows the score sheet
    Show {
        /// Id of the game, or the beginning of it
        game: String,
    },
    /// Enters a won hand: typed, from a photo, or only its points
    Win(Box<WinArgs>),
    /// Enters a draw
    Draw {
        /// Id of the game, or the beginning of it
        game: String,
        /// Names of the players who were ready when the wall was empty, separated by commas; in
        /// riichi the others pay them. An empty text if nobody was
        #[arg(long, value_name = "NAMES", value_delimiter = ',')]
        tenpai: Option<Vec<String>>,
        /// Names of the players whose discards were all terminals and honors, in riichi
        #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "tenpai")]
        nagashi: Vec<String>,
        /// Reason why the deal was aborted, in riichi
        #[arg(long, value_name = "REASON", value_parser = one_of(&AbortKind::ALL, AbortKind::name), conflicts_with = "tenpai")]
        abort: Option<AbortKind>,
        #[command(flatten)]
        place: EntryPosition,
    },
    /// Enters a declaration of riichi: the player lays a stick on the table
    Riichi(OfPlayerArgs),
    /// Enters that a player's hand is dead for the rest of the deal, in riichi
    DeadHand(OfPlayerArgs),
    /// Enters a false win in riichi: the rules say what it costs, and the deal is dealt again
    Chombo(OfPlayerArgs),
    /// Enters payments by hand, such as those for a false mahjong
    Points(PointsArgs),
    /// Removes an entry from the sheet; the history keeps it
    Remove {
        /// Id of the game, or the beginning of it
        game: String,
        /// Number of the entry in the sheet
        entry: u32,
    },
    /// Undoes the last change
    Undo {
        /// Id of the game, or the beginning of it
        game: String,
    },
    /// Finishes a game before its last deal
    Finish {
        /// Id of the game, or the beginning of it
        game: String,
    },
    /// Prints the score sheet as CSV, or as a workbook
    Export {
        /// Id of the game, or the beginning of it
        game: String,
        /// Print a workbook of Excel, for a file that ends in .xlsx
        #[arg(long, conflicts_with = "style")]
        xlsx: bool,
        /// Format of the CSV: `excel` uses semicolons and decimal commas, and starts with the mark
        /// by which Excel recognizes UTF-8
        #[arg(long = "csv", value_parser = one_of(&CsvStyle::ALL, CsvStyle::name), value_name = "STYLE", default_value_t)]
        style: CsvStyle,
    },
    /// Gives games to the holder of a key; once the service requires keys, only this key has access
    Give {
        /// Name of the key, as in the file of keys
        #[arg(value_name = "NAME")]
        to: String,
        /// Ids of the games; by default all games without an owner
        #[arg(value_name = "GAME")]
        games: Vec<String>,
    },
    /// Deletes a game and its history
    Delete {
        /// Id of the game, or the beginning of it
        game: String,
    },
}

/// An entry about one player.
#[derive(Debug, clap::Args)]
struct OfPlayerArgs {
    /// Id of the game, or the beginning of it
    game: String,
    /// Name of the player
    #[arg(long, value_name = "NAME")]
    player: String,
    #[command(flatten)]
    place: EntryPosition,
}

/// Position of an entry in the sheet.
#[derive(Debug, Clone, Copy, clap::Args)]
struct EntryPosition {
    /// Replace this entry instead of adding one
    #[arg(long, value_name = "ENTRY")]
    correct: Option<u32>,
    /// Insert before this entry instead of at the end
    #[arg(long, value_name = "ENTRY", conflicts_with = "correct")]
    before: Option<u32>,
}

impl EntryPosition {
    fn action(self, play: Play) -> Action {
        match self.correct {
            Some(entry) => Action::Correct { entry: EntryId(entry), play },
            None => Action::Add { play, before: self.before.map(EntryId) },
        }
    }
}

/// A won hand.
#[derive(Debug, clap::Args)]
struct WinArgs {
    /// Id of the game, or the beginning of it
    game: String,
    /// The hand in one line; see docs/notation.md
    #[arg(required_unless_present_any = ["photo", "points"])]
    hand: Vec<String>,
    /// Photo of the hand; a reading with doubts is printed and not entered
    #[arg(long, value_name = "FILE", conflicts_with = "hand")]
    photo: Option<PathBuf>,
    #[command(flatten)]
    sets: SetArgs,
    #[command(flatten)]
    device: DeviceArgs,
    /// Points of the hand (its tai in the game of sixteen tiles), if its tiles were not written
    /// down; the rules determine who pays
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["hand", "photo", "others", "east"])]
    points: Option<u32>,
    /// Name of the winner
    #[arg(long, value_name = "NAME")]
    winner: String,
    /// Name of the player who discarded the winning tile; omit it on a self-draw
    #[arg(long, value_name = "NAME")]
    discarder: Option<String>,
    /// The hand won on the discard of the entry before, beside its winner
    #[arg(long)]
    same_discard: bool,
    /// Name of the player who sits East, where the opened wall gives the winds; the dealer by
    /// default
    #[arg(long, value_name = "NAME")]
    east: Option<String>,
    /// Name of the player who is liable for the hand, such as the one who let a third pung of
    /// dragons be called in riichi
    #[arg(long, value_name = "NAME")]
    liable: Option<String>,
    /// Hand of a player who did not win, for rules that score every player; repeat for each player
    #[arg(long = "other", value_name = "NAME=HAND")]
    others: Vec<String>,
    #[command(flatten)]
    place: EntryPosition,
    #[command(flatten)]
    context: ContextArgs,
}

/// Points entered by hand.
#[derive(Debug, clap::Args)]
struct PointsArgs {
    /// Id of the game, or the beginning of it
    game: String,
    /// Points that each player gains or loses, in the order of the players
    #[arg(value_name = "POINTS", num_args = 3..=4, required = true, allow_negative_numbers = true)]
    points: Vec<i32>,
    /// Name of the player who won the hand or called the false mahjong
    #[arg(long, value_name = "NAME")]
    player: String,
    /// Reason for the payments
    #[arg(long, value_enum, default_value = "false-mahjong")]
    reason: PointsReason,
    /// End the deal with this entry
    #[arg(long)]
    ends_deal: bool,
    /// Note for the sheet
    #[arg(long)]
    note: Option<String>,
    #[command(flatten)]
    place: EntryPosition,
}

/// Reason for points entered by hand.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum PointsReason {
    /// A won hand whose tiles were not written down
    Hand,
    /// A false mahjong
    FalseMahjong,
    /// Points that were agreed on
    Adjustment,
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        Problem::from_message(ProblemKind::InvalidEntry, &refusal).into()
    }
}

impl From<ScoreSheetError> for CommandError {
    fn from(error: ScoreSheetError) -> CommandError {
        match error {
            ScoreSheetError::Game(error) => error.into(),
            other => CommandError::Failed(other.into()),
        }
    }
}

impl From<GameError> for CommandError {
    fn from(error: GameError) -> CommandError {
        match error {
            GameError::Hand { problem, .. } | GameError::Unreadable(problem) => (*problem).into(),
            other => Problem::from_message(ProblemKind::InvalidEntry, &other).into(),
        }
    }
}

impl FolderJournal for Game {
    fn no_folder() -> CommandError {
        Refusal::NoFolder.into()
    }

    fn not_found(text: &str) -> CommandError {
        Refusal::NoGame(text.to_owned()).into()
    }

    fn ambiguous(text: &str) -> CommandError {
        Refusal::SeveralGames(text.to_owned()).into()
    }

    fn stale() -> CommandError {
        Refusal::Stale.into()
    }

    fn refuse(error: GameError) -> CommandError {
        error.into()
    }
}

/// Games of a folder.
type Games = FolderJournals<Game>;

/// Runs the subcommand.
///
/// # Errors
/// When the folder can't be used, or the models for a photo are missing.
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(act(args)).map_err(|error| error.into_stop(args.lang, typed_hand(args)))?;
    Ok(Exit::Done)
}

/// Returns the hand that was typed, if one was.
fn typed_hand(args: &Args) -> String {
    match &args.what {
        GameCommand::Win(win) => win.hand.join(" "),
        _ => String::new(),
    }
}

async fn act(args: &Args) -> Result<(), CommandError> {
    let games = FolderJournals(EveningStore::new(journal::open::<Game>(args.data.as_deref())?));
    let (found, action) = match &args.what {
        GameCommand::New { players, title, ruleset } => {
            let game = Game::new(title.clone(), players.clone(), Arc::clone(ruleset))?;
            return show(args, &games.create(game).await?);
        }
        GameCommand::List => return print_list(args, &games.all().await?),
        GameCommand::Show { game } => return show(args, &games.find(game).await?),
        GameCommand::Export { game, xlsx, style } => {
            let found = games.find(game).await?;
            let format = if *xlsx { SheetFormat::Workbook } else { SheetFormat::Csv(*style) };
            let file = score_sheet(&found.document.journal, format)?;
            return print_file(&file);
        }
        GameCommand::Delete { game } => return games.delete(game).await,
        GameCommand::Give { to, games: ids } => {
            return print_list(args, &games.give(to, ids).await?);
        }
        GameCommand::Win(win) => {
            let found = games.find(&win.game).await?;
            let action = win.place.action(won(&found.document.journal, win)?);
            check_liability(&found.document.journal, &action)?;
            (found, action)
        }
        GameCommand::Draw { game, tenpai, nagashi, abort, place } => {
            let found = games.find(game).await?;
            let play = match tenpai {
                Some(tenpai) => exhaustive_draw(&found.document.journal, tenpai, nagashi)?,
                None => Play::Draw(Draw { abort: *abort }),
            };
            (found, place.action(play))
        }
        GameCommand::Riichi(of) => {
            enter(&games, of, |player| Play::Riichi(RiichiStick { player })).await?
        }
        GameCommand::DeadHand(of) => {
            enter(&games, of, |player| Play::DeadHand(OfPlayer { player })).await?
        }
        GameCommand::Chombo(of) => {
            enter(&games, of, |player| Play::Chombo(OfPlayer { player })).await?
        }
        GameCommand::Points(points) => {
            let found = games.find(&points.game).await?;
            let play = points_play(&found.document.journal, points)?;
            (found, points.place.action(play))
        }
        GameCommand::Remove { game, entry } => {
            (games.find(game).await?, Action::Remove { entry: EntryId(*entry) })
        }
        GameCommand::Finish { game } => (games.find(game).await?, Action::Finish),
        GameCommand::Undo { game } => {
            let found = games.find(game).await?;
            let change = found.document.journal.undoable().ok_or(GameError::NothingToUndo)?;
            (found, Action::Undo { change })
        }
    };
    show(args, &games.change(found, action).await?)
}

/// Returns the game and the action that enters an event about one player.
async fn enter(
    games: &Games,
    args: &OfPlayerArgs,
    play: impl FnOnce(Player) -> Play,
) -> Result<(StoredEvening, Action), CommandError> {
    let found = games.find(&args.game).await?;
    let player = player(&found.document.journal, &args.player)?;
    Ok((found, args.place.action(play(player))))
}

/// Prints one line per game, or an array of all.
fn print_list(args: &Args, games: &[StoredEvening]) -> Result<(), CommandError> {
    if args.json {
        let list = games.iter().map(|found| found.view(args.lang).map(GameSummary::from));
        return print_json(&list.collect::<Result<Vec<_>, _>>()?);
    }
    let lines = games.iter().map(|found| sheet::summary(found, args.lang));
    print(lines.collect::<Result<String, _>>()?.as_bytes())
}

fn show(args: &Args, found: &StoredEvening) -> Result<(), CommandError> {
    if args.json {
        return print_json(&found.view(args.lang)?);
    }
    print(sheet::table(found, args.lang)?.as_bytes())
}

/// Returns the player that a name means.
fn player(game: &Game, name: &str) -> Result<Player, CommandError> {
    let name = name.trim();
    game.player_named(name).ok_or_else(|| {
        let players = game.players().join(", ");
        Refusal::NoPlayer { name: name.to_owned(), players }.into()
    })
}

fn won(game: &Game, args: &WinArgs) -> Result<Play, CommandError> {
    let winner = player(game, &args.winner)?;
    let discarder = args.discarder.as_deref().map(|name| player(game, name)).transpose()?;
    let liable = args.liable.as_deref().map(|name| player(game, name)).transpose()?;
    let context = args.context.read()?;
    if let Some(points) = args.points {
        if context != ContextDto::default() {
            return Err(Refusal::ContextOfPoints.into());
        }
        let same_discard = args.same_discard;
        return Ok(Play::Points(HandPoints { winner, discarder, same_discard, liable, points }));
    }
    let hand = HandText::new(&args.hand.join(" "))?;
    let others = others(game, &args.others)?;
    let win = Win {
        winner,
        discarder,
        same_discard: args.same_discard,
        east: args.east.as_deref().map(|name| player(game, name)).transpose()?,
        liable,
        hand,
        winning_tile_supposed: false,
        ruleset: context.ruleset,
        context: context.setup,
        others,
    };
    let (hand, winning_tile_supposed) = match &args.photo {
        Some(photo) => read(game, &win, args, photo)?,
        None => (win.hand.clone(), false),
    };
    // The game determines the rule set; a profile from a file was only added to the book.
    Ok(Play::Win(Win { hand, winning_tile_supposed, ruleset: None, ..win }))
}

/// Refuses a hand for which a player may be liable, until it is said whether one is.
fn check_liability(game: &Game, action: &Action) -> Result<(), CommandError> {
    let open = game.open_liability(action)?;
    if open.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = open.iter().map(|one| game.players()[one.index()].as_str()).collect();
    Err(Refusal::OpenLiability(names.join(", ")).into())
}

/// Parses the hands of the players who did not win.
fn others(game: &Game, hands: &[String]) -> Result<Vec<Other>, CommandError> {
    let read = hands.iter().map(|text| {
        let (name, hand) = text.rsplit_once('=').ok_or_else(|| Refusal::Other(text.to_owned()))?;
        Ok(Other { player: player(game, name)?, hand: HandText::new(hand)? })
    });
    read.collect()
}

/// Reads the hand in a photo with the seats and the round of the next deal. Also returns whether
/// its winning tile is only supposed.
fn read(
    game: &Game,
    win: &Win,
    args: &WinArgs,
    photo: &Path,
) -> Result<(HandText, bool), CommandError> {
    if args.place.correct.or(args.place.before).is_some() {
        return Err(Refusal::PhotoOfEntry.into());
    }
    let context = game.win_context(win, &game.deal_won(win)?)?.setup;
    let bytes = read_photo(photo, DecodeLimits::default().bytes).map_err(|problem| {
        let detail = format!("{}: {}", photo.display(), problem.detail);
        Problem::new(problem.kind, detail)
    })?;
    let own = args.sets.read().map_err(|fault| own_sets_refusal(&fault))?;
    let options = ReadOptions { set: sets::choice(&own), ..game.ruleset().into() };
    let reader = Reader::load(&args.device.paths())
        .context("photos can't be read")?
        .with_sets(own)
        .map_err(|error| own_sets_refusal(&error.to_string()))?;
    let read = reader.read(&bytes, &context, options);
    let reading = read.map_err(|error| Problem::from(&error))?;
    let file = photo.display().to_string();
    if reading.status == Status::NoHand {
        let found = NoHand::from_reading(&reading);
        let game = args.game.clone();
        return Err(Refusal::NoHand { file, found, game, winner: args.winner.clone() }.into());
    }
    let hand = HandText::try_from(Notation::from_hand(reading.scored_hand()))?;
    if reading.status != Status::Ok {
        return Err(Refusal::Doubtful { file, hand: hand.to_string() }.into());
    }
    Ok((hand, reading.supposed_winning.is_some()))
}

/// Returns the refusal of a set that can't be used.
fn own_sets_refusal(fault: &str) -> Problem {
    Problem::new(ProblemKind::MalformedRequest, fault)
}

/// Returns an exhaustive draw with the players who were ready, and those whose discards are paid.
fn exhaustive_draw(
    game: &Game,
    tenpai: &[String],
    nagashi: &[String],
) -> Result<Play, CommandError> {
    let tenpai = players(game, tenpai)?;
    let nagashi = players(game, nagashi)?;
    Ok(Play::ExhaustiveDraw(ExhaustiveDraw { tenpai, nagashi }))
}

/// Returns the players that names mean; an empty text means nobody.
fn players(game: &Game, names: &[String]) -> Result<Vec<Player>, CommandError> {
    let names = names.iter().filter(|name| !name.trim().is_empty());
    names.map(|name| player(game, name)).collect()
}

fn points_play(game: &Game, args: &PointsArgs) -> Result<Play, CommandError> {
    let payments = PlayerPoints::new(&args.points).expect("clap takes three or four numbers");
    let reason = match args.reason {
        PointsReason::Hand => Reason::Hand,
        PointsReason::FalseMahjong => Reason::FalseMahjong,
        PointsReason::Adjustment => Reason::Adjustment,
    };
    let player = player(game, &args.player)?;
    let PointsArgs { ends_deal, note, .. } = args;
    Ok(Play::Manual(Manual { reason, player, payments, ends_deal: *ends_deal, note: note.clone() }))
}
