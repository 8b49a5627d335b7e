//! `tilesight keys`: creates, lists and revokes the keys of the service.
//!
//! A new key is printed once, on standard output; its line, with only a hash, goes into the file
//! that `serve --keys` reads. If a key is lost, create another and revoke the old one. A running
//! service notices within seconds that the file has changed. Invariant: the service can always read
//! the file; otherwise it would keep the keys that it has.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail};
use serde::Serialize;
use tilesight_files::private;
use tilesight_files::replace::replace_keeping_access;
use tilesight_files::trusted;
use tilesight_jobs::EmbeddedStore;

use crate::cli::output::columns::{pad, widest};
use crate::cli::output::{Exit, terminal};
use crate::config::Choices;
use tilesight_service::Limits;
use tilesight_service::{Amounts, KeyLabel, KeyUsage, Keys, ListedKey, NewKey, Quotas};

/// Length of the day on which a key expires, during which it is still accepted.
const DAY: Duration = Duration::from_secs(86_400);

/// Arguments of `tilesight keys`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

/// The subcommand.
#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Creates a key, prints it once and adds its line to the file
    New {
        /// Name of the key's user in the log: 1 to 64 letters, digits, `-`, `_` and `.` characters
        name: KeyLabel,
        #[command(flatten)]
        place: KeyPlace,
        /// Maximum number of requests per minute
        #[arg(long, value_name = "COUNT")]
        rate: Option<NonZeroU32>,
        /// Last day (UTC) on which the key is accepted, such as 2027-01-31, or a time from now,
        /// such as 90d
        #[arg(long, value_name = "WHEN", value_parser = read_expiry)]
        expires: Option<SystemTime>,
        /// Maximum number of photos per day (UTC)
        #[arg(long, value_name = "COUNT")]
        photos_a_day: Option<NonZeroU64>,
        /// Maximum number of photos per month
        #[arg(long, value_name = "COUNT")]
        photos_a_month: Option<NonZeroU64>,
        /// Maximum number of requests per day (UTC)
        #[arg(long, value_name = "COUNT")]
        requests_a_day: Option<NonZeroU64>,
        /// Maximum number of requests per month
        #[arg(long, value_name = "COUNT")]
        requests_a_month: Option<NonZeroU64>,
    },
    /// Lists the keys of the file: names, requests per minute, expiry, quotas, and with --data what
    /// each has used
    List {
        #[command(flatten)]
        place: KeyPlace,
        /// Folder that `serve --data` names: lists the usage of the keys too
        #[arg(long, env = "TILESIGHT_DATA", value_name = "FOLDER")]
        data: Option<PathBuf>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Removes a key from the file; a running service refuses it within seconds
    Revoke {
        /// Name of the key
        name: KeyLabel,
        #[command(flatten)]
        place: KeyPlace,
    },
}

/// Place of the keys.
#[derive(Debug, clap::Args)]
struct KeyPlace {
    /// File that `serve --keys` reads
    #[arg(long, env = "TILESIGHT_KEYS", value_name = "FILE", required_unless_present = "config")]
    file: Option<PathBuf>,
    /// TOML file with the settings of the service, which names the file of keys, and the folder
    /// that has their usage
    #[arg(long, env = "TILESIGHT_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl KeyPlace {
    /// Returns the file of keys.
    fn file(&self) -> anyhow::Result<PathBuf> {
        if let Some(file) = &self.file {
            return Ok(file.clone());
        }
        let config = self.config.as_deref().unwrap_or(Path::new(""));
        let Some(file) = self.settings()?.keys else {
            bail!("{}: this file names no `keys`: add them, or give --file", config.display());
        };
        Ok(file)
    }

    /// Returns the settings of the configuration file.
    fn settings(&self) -> anyhow::Result<Choices> {
        match &self.config {
            Some(config) => {
                Choices::from_file(config).with_context(|| config.display().to_string())
            }
            None => Ok(Choices::default()),
        }
    }
}

/// Parses a day or a time from now.
fn read_expiry(text: &str) -> Result<SystemTime, String> {
    let expected = "expected a day such as 2027-01-31, or a time from now such as 90d";
    let now = SystemTime::now();
    let end = match humantime::parse_rfc3339(&format!("{text}T00:00:00Z")) {
        Ok(day) => day.checked_add(DAY),
        Err(_) => now.checked_add(humantime::parse_duration(text).map_err(|_| expected)?),
    };
    // Years after 9999 can't be written.
    let last =
        humantime::parse_rfc3339("9999-12-31T00:00:00Z").map_err(|error| error.to_string())?;
    match end.filter(|end| *end <= last) {
        Some(end) if end > now => Ok(end),
        Some(_) => Err("this day is over: name a later one".to_owned()),
        None => Err(expected.to_owned()),
    }
}

/// Creates, lists or revokes keys.
///
/// # Errors
/// When the file can't be read or written, or already has a key of this name.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    match &args.command {
        Command::New {
            name,
            place,
            rate,
            expires,
            photos_a_day,
            photos_a_month,
            requests_a_day,
            requests_a_month,
        } => {
            let quotas = Quotas {
                photos_a_day: *photos_a_day,
                photos_a_month: *photos_a_month,
                requests_a_day: *requests_a_day,
                requests_a_month: *requests_a_month,
            };
            let key = NewKey::generate(name, *rate, *expires)
                .context("the system has no random numbers")?
                .with_quotas(&quotas);
            let path = place.file()?;
            add(&path, name, &key.line)?;
            writeln!(terminal::stdout(), "{}", key.secret)?;
            let file = path.display();
            writeln!(terminal::stderr(), "This key is printed only once; {file} has its hash.")?;
        }
        Command::List { place, data, json } => {
            let file = place.file()?;
            let text = read(&file)?;
            let folder = data.clone().or(place.settings()?.data);
            let usage = usage(folder.as_deref())?;
            let keys = parse(&file, &text)?.list(SystemTime::now());
            let listed: Vec<KeyRow> =
                keys.into_iter().map(|key| KeyRow::new(key, &usage)).collect();
            if *json {
                writeln!(terminal::stdout(), "{}", serde_json::to_string_pretty(&listed)?)?;
            } else {
                print(&listed)?;
            }
        }
        Command::Revoke { name, place } => {
            let file = place.file()?;
            revoke(&file, name)?;
            writeln!(terminal::stderr(), "{name} is removed from {}.", file.display())?;
        }
    }
    Ok(Exit::Done)
}

/// Key in the list.
#[derive(Debug, Serialize)]
struct KeyRow {
    #[serde(flatten)]
    key: ListedKey,
    /// Usage of the key; `None` if it is not known.
    usage: Option<KeyUsage>,
}

impl KeyRow {
    fn new(key: ListedKey, usage: &[KeyUsage]) -> KeyRow {
        let usage = usage.iter().find(|usage| usage.name == key.name).cloned();
        KeyRow { key, usage }
    }
}

/// Returns the usage of all keys that a service with this folder has counted.
fn usage(data: Option<&Path>) -> anyhow::Result<Vec<KeyUsage>> {
    let Some(folder) = data.filter(|folder| EmbeddedStore::has_data(folder)) else {
        return Ok(Vec::new());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let loaded = EmbeddedStore::open(folder)
        .and_then(|store| runtime.block_on(tilesight_service::load_usage(&store)));
    loaded.with_context(|| folder.display().to_string())
}

/// Prints one line for each key, and below it its quotas and its usage.
fn print(keys: &[KeyRow]) -> io::Result<()> {
    let width = widest(keys.iter().map(|row| &row.key.name));
    let mut out = terminal::stdout();
    for KeyRow { key, usage } in keys {
        let ListedKey { name, rate, expires, expired, quotas } = key;
        let verb = if *expired { "expired" } else { "expires" };
        let end = expires.as_ref().map_or_else(String::new, |time| format!("  {verb} {time}"));
        writeln!(out, "{}  {rate:>6} requests a minute{end}", pad(name, width))?;
        if let Some(limits) = describe_quotas(quotas) {
            writeln!(out, "{:width$}  at most {limits}", "")?;
        }
        for (of, used) in usage.iter().flat_map(parts) {
            let Amounts { requests, photos, bytes } = used;
            writeln!(
                out,
                "{:width$}  {of}: {requests} requests, {photos} photos, {bytes} bytes",
                ""
            )?;
        }
    }
    Ok(())
}

/// Returns the quotas in words; `None` if there are none.
fn describe_quotas(quotas: &Quotas) -> Option<String> {
    let all = [
        (quotas.photos_a_day, "photos a day"),
        (quotas.photos_a_month, "photos a month"),
        (quotas.requests_a_day, "requests a day"),
        (quotas.requests_a_month, "requests a month"),
    ];
    let given: Vec<String> =
        all.into_iter().filter_map(|(max, of)| Some(format!("{} {of}", max?))).collect();
    (!given.is_empty()).then(|| given.join(", "))
}

/// Returns the parts of a key's usage, each with its name.
fn parts(usage: &KeyUsage) -> [(String, Amounts); 3] {
    let last = usage.last_used.as_deref().unwrap_or("never");
    [
        (usage.day.of.clone(), usage.day.amounts),
        (usage.month.of.clone(), usage.month.amounts),
        (format!("in all, last used {last}"), usage.total),
    ]
}

fn read(file: &Path) -> anyhow::Result<String> {
    trusted::read_to_string(file).with_context(|| file.display().to_string())
}

fn parse(file: &Path, text: &str) -> anyhow::Result<Keys> {
    let keys = Keys::read(text, Limits::default().key_rate);
    keys.with_context(|| file.display().to_string())
}

/// Adds a line, if the service can read the file with it.
fn add(file: &Path, name: &KeyLabel, line: &str) -> anyhow::Result<()> {
    let (before, is_new) = match trusted::read_to_string(file).map_err(io::Error::from) {
        Ok(text) => (text, false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), true),
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    if Keys::remove_key(&before, name).is_some() {
        bail!(
            "{}: there is a key {name} already: choose another name, or revoke that key first",
            file.display()
        );
    }
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    parse(file, &format!("{before}{gap}{line}\n"))?;
    // Hashes reveal no key, but the names of the keys' users are private too.
    let mut options = private::options();
    // A missing file is created only if nothing is in its place, so that a dangling link of another
    // user is not followed.
    options.create_new(is_new).append(true);
    let mut out = options.open(file).with_context(|| file.display().to_string())?;
    writeln!(out, "{gap}{line}").with_context(|| file.display().to_string())
}

/// Removes the line of a key. The file is replaced as a whole.
fn revoke(file: &Path, name: &KeyLabel) -> anyhow::Result<()> {
    let before = read(file)?;
    parse(file, &before)?;
    let Some(rest) = Keys::remove_key(&before, name) else {
        bail!("{}: there is no key {name}: `tilesight keys list` shows all", file.display());
    };
    if Keys::read(&rest, Limits::default().key_rate).is_err() {
        bail!(
            "{}: {name} is the last key, and a service without one keeps those that it has: make \
             another key first, or stop the service and remove the file",
            file.display()
        );
    }
    // If the path is a link, the target is replaced.
    let target = file.canonicalize().with_context(|| file.display().to_string())?;
    // If root revokes a key, the service's user must still be able to read the file.
    replace_keeping_access(&target, rest.as_bytes()).with_context(|| file.display().to_string())
}
