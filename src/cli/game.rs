//! `tilesight game`: an evening's score sheet from the command line, in the folder that a service
//! may use too.
//!
//! Input: the folder, the game by its id or the beginning of it, and what happened. Output: the
//! sheet for people, or the JSON of the service. Invariant: a command changes what it saw; where a
//! service or another command was faster it says so and changes nothing.

mod refusal;
mod sheet;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use serde::Serialize;
use tilesight_core::contract::{ContextDto, Problem, ProblemKind};
use tilesight_core::explain::Lang;
use tilesight_core::game::{
    Action, EntryId, Game, GameError, HandPoints, HandText, Manual, Meta, Other, PLAYERS, Play,
    Player, Points, Reason, Win, csv,
};
use tilesight_core::notation::Notation;
use tilesight_core::rules::Profile;
use tokio::runtime::Builder;

use self::refusal::Refusal;
use super::Exit;
use super::complaint::complaint;
use super::context::ContextArgs;
use super::device::DeviceArgs;
use super::photo;
use crate::batch::CsvStyle;
use crate::cli::terminal;
use crate::games::{GameStore, GameStoreError, Precondition, StoredGame};
use crate::jobs::EmbeddedStore;
use crate::pipeline::{DecodeLimits, NoHand, Reader, Status};

/// What `tilesight game` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder that games are kept in, as `tilesight serve --data` has it
    #[arg(long, env = "TILESIGHT_DATA", value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
    /// Print the game as JSON
    #[arg(long, global = true)]
    json: bool,
    /// Language of messages, and of the names of lines in JSON: en, de, da, sv or zh
    #[arg(long, default_value = "en", global = true)]
    lang: Lang,
    #[command(subcommand)]
    what: What,
}

/// What to do.
#[derive(Debug, clap::Subcommand)]
enum What {
    /// Begins a game
    New {
        /// The players in the order of their first seats, with commas: East, South, West, North
        #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
        players: Vec<String>,
        /// What to call it
        #[arg(long, default_value = "")]
        title: String,
        /// Rules to play by: a name from `tilesight rules list`, or the file of a profile
        #[arg(long, value_name = "RULES", value_parser = super::rules::named, default_value = "mcr-wmo")]
        ruleset: Arc<Profile>,
    },
    /// Lists the games, with --json as an array
    List,
    /// Shows the score sheet
    Show {
        /// The game
        game: String,
    },
    /// Enters a won hand: typed, from a photo, or only its points
    Win(WinArgs),
    /// Enters a draw
    Draw {
        /// The game
        game: String,
        #[command(flatten)]
        place: Place,
    },
    /// Enters payments by hand, such as those of a false mahjong
    Points(PointsArgs),
    /// Takes an entry out of the sheet; the history keeps it
    Remove {
        /// The game
        game: String,
        /// The entry: its number in the sheet
        entry: u32,
    },
    /// Takes the last change back
    Undo {
        /// The game
        game: String,
    },
    /// Ends a game before its last deal
    Finish {
        /// The game
        game: String,
    },
    /// Prints the score sheet as CSV
    Export {
        /// The game
        game: String,
        /// How it is written: `excel` has semicolons and the mark by which Excel recognises UTF-8
        #[arg(long = "csv", value_enum, value_name = "STYLE", default_value_t)]
        style: CsvStyle,
    },
    /// Gives games to the holder of a key, who alone sees them once the service asks for keys
    Give {
        /// The key's name, as in the file of the keys
        #[arg(value_name = "NAME")]
        to: String,
        /// The games; all that belong to nobody where none is named
        #[arg(value_name = "GAME")]
        games: Vec<String>,
    },
    /// Forgets a game with its history
    Delete {
        /// The game
        game: String,
    },
}

/// Where in the sheet something goes.
#[derive(Debug, Clone, Copy, clap::Args)]
struct Place {
    /// Replace this entry instead of adding one
    #[arg(long, value_name = "ENTRY")]
    correct: Option<u32>,
    /// Add it before this entry instead of at the end
    #[arg(long, value_name = "ENTRY", conflicts_with = "correct")]
    before: Option<u32>,
}

impl Place {
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
    /// The game
    game: String,
    /// The hand in one line; see docs/notation.md
    #[arg(required_unless_present_any = ["photo", "points"])]
    hand: Vec<String>,
    /// A photo of the hand; a reading with doubts is printed and not entered
    #[arg(long, value_name = "FILE", conflicts_with = "hand")]
    photo: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceArgs,
    /// What the hand is worth, where nobody wrote down its tiles: the rules say who pays
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["hand", "photo", "others"])]
    points: Option<u32>,
    /// Who won
    #[arg(long, value_name = "NAME")]
    winner: String,
    /// Who discarded the winning tile; nobody on a self-draw
    #[arg(long, value_name = "NAME")]
    discarder: Option<String>,
    /// The hand of somebody who did not win, where the rules score every player; once for each
    #[arg(long = "other", value_name = "NAME=HAND")]
    others: Vec<String>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    context: ContextArgs,
}

/// Points by hand.
#[derive(Debug, clap::Args)]
struct PointsArgs {
    /// The game
    game: String,
    /// What each player gains or loses, in their order
    #[arg(value_name = "POINTS", num_args = 4, required = true, allow_negative_numbers = true)]
    points: Vec<i32>,
    /// Whom it is about
    #[arg(long, value_name = "NAME")]
    player: String,
    /// Why
    #[arg(long, value_enum, default_value = "false-mahjong")]
    reason: Why,
    /// The deal ended with it
    #[arg(long)]
    ends_deal: bool,
    /// What else there is to say
    #[arg(long)]
    note: Option<String>,
    #[command(flatten)]
    place: Place,
}

/// Why points are entered by hand.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Why {
    /// A won hand whose tiles nobody wrote down
    Hand,
    /// A false mahjong
    FalseMahjong,
    /// Points that were agreed on
    Adjustment,
}

/// What a command could not do, and who can fix it.
enum CommandError {
    /// What was asked; printed on standard error.
    Problem(Problem),
    /// The machine.
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for CommandError {
    fn from(error: anyhow::Error) -> CommandError {
        CommandError::Failed(error)
    }
}

impl From<Refusal> for CommandError {
    fn from(refusal: Refusal) -> CommandError {
        CommandError::Problem(Problem::of(ProblemKind::InvalidEntry, &refusal))
    }
}

impl From<GameError> for CommandError {
    fn from(error: GameError) -> CommandError {
        match error {
            GameError::Hand { problem, .. } | GameError::Unreadable(problem) => {
                CommandError::Problem(*problem)
            }
            other => CommandError::Problem(Problem::of(ProblemKind::InvalidEntry, &other)),
        }
    }
}

impl From<GameStoreError> for CommandError {
    fn from(error: GameStoreError) -> CommandError {
        match error {
            GameStoreError::Game(error) => error.into(),
            GameStoreError::Store(error) => CommandError::Failed(error.into()),
            GameStoreError::Stale => Refusal::Stale.into(),
            other => CommandError::Problem(Problem::new(ProblemKind::NotFound, other.to_string())),
        }
    }
}

/// Does what was asked.
///
/// # Errors
/// When the folder can't be used, or the models are missing for a photo.
pub fn run(args: &Args) -> anyhow::Result<Exit> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    match runtime.block_on(act(args)) {
        Ok(()) => Ok(Exit::Done),
        Err(CommandError::Failed(error)) => Err(error),
        Err(CommandError::Problem(problem)) => {
            let hand =
                if let What::Win(win) = &args.what { win.hand.join(" ") } else { String::new() };
            write!(terminal::stderr(), "{}", complaint(None, &hand, &problem.said(args.lang)))?;
            Ok(Exit::BadInput)
        }
    }
}

async fn act(args: &Args) -> Result<(), CommandError> {
    let folder = args.data.as_ref().ok_or(Refusal::NoFolder)?;
    let embedded = EmbeddedStore::open(folder).with_context(|| folder.display().to_string())?;
    let store = GameStore::new(Arc::new(embedded));
    let (found, action) = match &args.what {
        What::New { players, title, ruleset } => {
            let players = <[String; PLAYERS]>::try_from(players.clone())
                .map_err(|given| Refusal::Players(given.len()))?;
            let game = Game::new(title.clone(), players, Arc::clone(ruleset))?;
            let found = store.create(game, None, None).await?;
            return show(args, &found);
        }
        What::List => return list(args, &store).await,
        What::Show { game } => return show(args, &named(&store, game).await?),
        What::Export { game, style } => {
            let table = csv(&named(&store, game).await?.document.game)?;
            let table = style.converted(table.into_bytes(), true).context("the score sheet")?;
            let written = terminal::data().write_all(&table);
            return Ok(written.context("standard output")?);
        }
        What::Delete { game } => {
            let found = named(&store, game).await?;
            return Ok(store.remove(&found).await.map_err(GameStoreError::from)?);
        }
        What::Give { to, games } => return give(args, &store, to, games).await,
        What::Win(win) => {
            let found = named(&store, &win.game).await?;
            let play = won(&found.document.game, win)?;
            (found, win.place.action(play))
        }
        What::Draw { game, place } => (named(&store, game).await?, place.action(Play::Draw)),
        What::Points(points) => {
            let found = named(&store, &points.game).await?;
            let play = by_hand(&found.document.game, points)?;
            (found, points.place.action(play))
        }
        What::Remove { game, entry } => {
            (named(&store, game).await?, Action::Remove { entry: EntryId(*entry) })
        }
        What::Finish { game } => (named(&store, game).await?, Action::Finish),
        What::Undo { game } => {
            let found = named(&store, game).await?;
            let change = found.document.game.undoable().ok_or(GameError::NothingToUndo)?;
            (found, Action::Undo { change })
        }
    };
    let seen = Precondition::OneOf(vec![found.revision]);
    let (found, _) = store.change(found, seen, meta(), action).await?;
    show(args, &found)
}

fn meta() -> Meta {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Meta { at: u64::try_from(since.as_millis()).unwrap_or(u64::MAX), ..Meta::default() }
}

/// A game by its id, or by the beginning that no other has.
async fn named(store: &GameStore, text: &str) -> Result<StoredGame, CommandError> {
    let ids = store.list().await.map_err(GameStoreError::from)?;
    let mut begins = ids.iter().filter(|id| id.as_str().starts_with(text) && !text.is_empty());
    match (begins.next(), begins.next()) {
        (Some(id), None) => Ok(store.find(id.as_str(), None).await?),
        (Some(_), Some(_)) => Err(Refusal::SeveralGames(text.to_owned()).into()),
        (None, _) => Err(Refusal::NoGame(text.to_owned()).into()),
    }
}

async fn list(args: &Args, store: &GameStore) -> Result<(), CommandError> {
    let mut games = Vec::new();
    for id in store.list().await.map_err(GameStoreError::from)? {
        games.push(store.find(id.as_str(), None).await?);
    }
    print_list(args, &games)
}

/// Gives games to the holder of a key, and lists them.
async fn give(
    args: &Args,
    store: &GameStore,
    to: &str,
    games: &[String],
) -> Result<(), CommandError> {
    let mut found = Vec::new();
    for game in games {
        found.push(named(store, game).await?);
    }
    if games.is_empty() {
        for id in store.list().await.map_err(GameStoreError::from)? {
            let game = store.find(id.as_str(), None).await?;
            found.extend(Some(game).filter(|game| game.document.owner.is_none()));
        }
    }
    let mut given = Vec::new();
    for game in found {
        given.push(store.give(game, to).await?);
    }
    print_list(args, &given)
}

/// Prints one line a game, or an array of all.
fn print_list(args: &Args, games: &[StoredGame]) -> Result<(), CommandError> {
    if args.json {
        let list = games.iter().map(|found| sheet::summary_json(found, args.lang));
        return print_json(&list.collect::<Result<Vec<_>, _>>()?);
    }
    let lines: String = games.iter().map(sheet::summary).collect::<Result<_, _>>()?;
    print_to(terminal::stdout(), &lines)
}

fn show(args: &Args, found: &StoredGame) -> Result<(), CommandError> {
    if args.json {
        return print_json(&found.view(args.lang)?);
    }
    print_to(terminal::stdout(), &sheet::table(found)?)
}

fn print_json(value: &impl Serialize) -> Result<(), CommandError> {
    let json = serde_json::to_string_pretty(value).context("a game is no JSON")?;
    print_to(terminal::stdout(), &(json + "\n"))
}

fn print_to(mut out: impl Write, text: &str) -> Result<(), CommandError> {
    out.write_all(text.as_bytes()).map_err(|error| CommandError::Failed(error.into()))
}

/// The player that a name means.
fn player(game: &Game, name: &str) -> Result<Player, CommandError> {
    let joined = |players: &[Player]| {
        let names = players.iter().map(|player| game.players()[player.index()].as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let name = name.trim();
    match game.players_named(name).as_slice() {
        [player] => Ok(*player),
        [] => {
            let players = joined(&Player::ALL);
            Err(Refusal::NoPlayer { name: name.to_owned(), players }.into())
        }
        several => {
            let players = joined(several);
            Err(Refusal::SeveralPlayers { name: name.to_owned(), players }.into())
        }
    }
}

fn won(game: &Game, args: &WinArgs) -> Result<Play, CommandError> {
    let winner = player(game, &args.winner)?;
    let discarder = args.discarder.as_deref().map(|name| player(game, name)).transpose()?;
    let context = args.context.read().map_err(CommandError::Problem)?;
    if let Some(points) = args.points {
        if context != ContextDto::default() {
            return Err(Refusal::ContextOfPoints.into());
        }
        return Ok(Play::Points(HandPoints { winner, discarder, points }));
    }
    let hand = HandText::new(&args.hand.join(" "))?;
    let others = others(game, &args.others)?;
    let (ruleset, context) = (context.ruleset, context.setup);
    let win =
        Win { winner, discarder, hand, winning_tile_supposed: false, ruleset, context, others };
    let (hand, winning_tile_supposed) = match &args.photo {
        Some(photo) => read(game, &win, args, photo)?,
        None => (win.hand.clone(), false),
    };
    // The game says by what it is played; a profile from a file was only made known.
    Ok(Play::Win(Win { hand, winning_tile_supposed, ruleset: None, ..win }))
}

/// The hands of those who did not win.
fn others(game: &Game, told: &[String]) -> Result<Vec<Other>, CommandError> {
    let read = told.iter().map(|text| {
        let (name, hand) = text.rsplit_once('=').ok_or_else(|| Refusal::Other(text.to_owned()))?;
        Ok(Other { player: player(game, name)?, hand: HandText::new(hand)? })
    });
    read.collect()
}

/// The hand in a photo, as the next deal's seats and round have it read, and whether its winning
/// tile is only supposed.
fn read(
    game: &Game,
    win: &Win,
    args: &WinArgs,
    photo: &Path,
) -> Result<(HandText, bool), CommandError> {
    if args.place.correct.or(args.place.before).is_some() {
        return Err(Refusal::PhotoOfEntry.into());
    }
    let context = game.win_context(win, &game.next_deal()?)?.setup;
    let bytes = photo::read(photo, DecodeLimits::default().bytes);
    let bytes = bytes.map_err(|problem| {
        let detail = format!("{}: {}", photo.display(), problem.detail);
        CommandError::Problem(Problem::new(problem.kind, detail))
    })?;
    let reader = Reader::load(&args.device.paths()).context("photos can't be read")?;
    let reading = reader.read(&bytes, &context, game.ruleset());
    let reading = reading.map_err(|error| CommandError::Problem(Problem::from(&error)))?;
    let file = photo.display().to_string();
    if reading.status == Status::NoHand {
        let (game, winner) = (args.game.clone(), args.winner.clone());
        return Err(Refusal::NoHand { file, found: NoHand::of(&reading), game, winner }.into());
    }
    let hand = HandText::try_from(Notation::of(reading.scored_hand()))?;
    if reading.status != Status::Ok {
        return Err(Refusal::Doubtful { file, hand: hand.to_string() }.into());
    }
    Ok((hand, reading.supposed_winning.is_some()))
}

fn by_hand(game: &Game, args: &PointsArgs) -> Result<Play, CommandError> {
    let payments = Points::try_from(args.points.clone()).expect("clap takes four numbers");
    let reason = match args.reason {
        Why::Hand => Reason::Hand,
        Why::FalseMahjong => Reason::FalseMahjong,
        Why::Adjustment => Reason::Adjustment,
    };
    let player = player(game, &args.player)?;
    let PointsArgs { ends_deal, note, .. } = args;
    Ok(Play::Manual(Manual { reason, player, payments, ends_deal: *ends_deal, note: note.clone() }))
}
