//! Photos that are named on the command line, and the limits on their size.
//!
//! Input: a path, or `-` for standard input, and the limits of the flags. Output: the bytes of the
//! photo, or a [`Problem`]. Invariants: a photo is refused for its size before it is read, or as
//! soon as it exceeds the limit; standard input is read once, however often it is named.

use std::cell::OnceCell;
use std::io;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use tilesight_core::contract::{PhotoField, PhotoFields, Problem};
use tilesight_files::input;
use tilesight_jobs::plan::{STDIN, file_problem, read_photo};
use tilesight_service::MIN_DECODE_MEMORY;
use tilesight_vision::DecodeLimits;

/// Limits on the size of a photo.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(in crate::cli) struct LimitArgs {
    /// Maximum size of a photo's file, in bytes [default: 20000000]
    #[arg(long, env = "TILESIGHT_MAX_BYTES", value_name = "BYTES")]
    max_bytes: Option<NonZeroUsize>,
    /// Maximum number of pixels of a photo; decoding takes up to 20 bytes per pixel [default:
    /// 50000000]
    #[arg(long, env = "TILESIGHT_MAX_PIXELS", value_name = "PIXELS")]
    max_pixels: Option<NonZeroU64>,
    /// Maximum number of bytes that all photos decoded at the same time hold together; a photo that
    /// needs more is refused [default: 1000000000, or 20 for each pixel of --max-pixels]
    #[arg(long, env = "TILESIGHT_DECODE_MEMORY", value_name = "BYTES",
        value_parser = value_parser!(u64).range(MIN_DECODE_MEMORY..))]
    decode_memory: Option<u64>,
}

impl LimitArgs {
    /// Returns the limits of the flags, completed by the defaults.
    pub(in crate::cli) fn limits(self) -> DecodeLimits {
        let bytes = self.max_bytes.map(NonZeroUsize::get);
        DecodeLimits::new(bytes, self.max_pixels.map(NonZeroU64::get), self.decode_memory)
    }
}

/// Place of the hand in a photo. The flags follow from the table in `contract/photo_fields.rs`.
#[derive(Debug, Clone, Default)]
pub(in crate::cli) struct PlaceArgs(pub(in crate::cli) PhotoFields);

/// Returns the fields that have a flag of this kind: own sets are named by their files instead.
fn place_fields() -> impl Iterator<Item = &'static PhotoField> {
    PhotoFields::FIELDS.iter().filter(|field| field.name != "set")
}

impl Args for PlaceArgs {
    fn augment_args(command: Command) -> Command {
        command.args(place_fields().map(|field| {
            let flag = Arg::new(field.name).long(field.name).value_name(field.placeholder);
            let help = field.words().trim_end_matches('.');
            flag.help(help).value_parser(move |text: &str| {
                let mut fields = PhotoFields::default();
                let read = fields.set_text(field.name, text).map(|()| fields);
                read.map_err(|problem| problem.errors[0].detail.to_string())
            })
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        PlaceArgs::augment_args(command)
    }
}

impl FromArgMatches for PlaceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<PlaceArgs, clap::Error> {
        let given = place_fields().filter_map(|field| matches.get_one::<PhotoFields>(field.name));
        Ok(PlaceArgs(given.cloned().reduce(PhotoFields::or).unwrap_or_default()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        PlaceArgs::from_arg_matches(matches).map(|place| *self = place)
    }
}

/// Loader of photos from files and from standard input.
#[derive(Debug)]
pub(in crate::cli) struct PhotoLoader {
    limit: usize,
    stdin: OnceCell<Vec<u8>>,
}

impl PhotoLoader {
    /// Creates a loader of photos of at most `limit` bytes.
    pub(in crate::cli) fn new(limit: usize) -> PhotoLoader {
        PhotoLoader { limit, stdin: OnceCell::new() }
    }

    /// Returns the bytes of a photo.
    ///
    /// # Errors
    /// A [`Problem`] that says why the photo can't be read.
    pub(in crate::cli) fn load(&self, path: &Path) -> Result<Vec<u8>, Problem> {
        if path.as_os_str() != STDIN {
            return read_photo(path, self.limit);
        }
        if let Some(bytes) = self.stdin.get() {
            return Ok(bytes.clone());
        }
        let bytes = input::read_stream(io::stdin().lock(), self.limit)
            .map_err(|error| file_problem(&error))?;
        Ok(self.stdin.get_or_init(|| bytes).clone())
    }
}
