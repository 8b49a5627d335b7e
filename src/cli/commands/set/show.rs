//! `tilesight set show`: prints what a set knows, and writes the picture of its faces.

use std::io::Write as _;
use std::path::PathBuf;

use tilesight_core::plural::format_count;
use tilesight_vision::networks::Manifest;
use tilesight_vision::sets::OwnSet;
use tilesight_vision::{DecodeLimits, Photo};

use crate::cli::args::sets;
use crate::cli::output::file::OutputOption;
use crate::cli::output::{Exit, Stop, terminal};

/// Arguments of `tilesight set show`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// File of the set
    #[arg(value_name = "FILE.set")]
    set: PathBuf,
    /// Write the picture of its faces as a PNG
    #[arg(long, value_name = "FILE.png")]
    picture: Option<PathBuf>,
    /// With --picture: overwrite a file that tilesight did not write
    #[arg(long, requires = "picture")]
    force: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    let set = sets::read(&args.set).map_err(Stop::bad_input)?;
    let option = OutputOption { name: "--picture", endings: &["png"], force: args.force };
    let file = args
        .picture
        .as_ref()
        .map(|path| option.check(path, [args.set.as_path()]))
        .transpose()
        .map_err(Stop::bad_input)?;
    print(&set, Manifest::built_in().ok().as_ref())?;
    if let Some(file) = file {
        let picture = Photo::decode(set.picture(), &DecodeLimits::default())?;
        let mut png = std::io::Cursor::new(Vec::new());
        picture.image().write_to(&mut png, image::ImageFormat::Png)?;
        file.write(png.get_ref())?;
    }
    Ok(Exit::Done)
}

/// Prints what a set knows.
pub(super) fn print(set: &OwnSet, manifest: Option<&Manifest>) -> anyhow::Result<()> {
    let mut out = terminal::stdout();
    writeln!(out, "{} ({})", set.name(), set.id())?;
    let faces = format_count(set.faces().len() as u32, "face", "faces");
    let count = set.faces().iter().map(|face| face.tiles()).sum::<u32>();
    writeln!(out, "{faces} from {}", format_count(count, "tile", "tiles"))?;
    let colours = set.colours();
    write!(out, "body {}, ink {}", hex_color(colours.body), hex_color(colours.ink))?;
    match colours.back {
        Some(back) => writeln!(out, ", back {}", hex_color(back))?,
        None => writeln!(out)?,
    }
    let known: Vec<String> = set.faces().iter().map(|face| format!("{}", face.label())).collect();
    writeln!(out, "knows {}", known.join(" "))?;
    let missing: Vec<String> = set.missing().iter().map(ToString::to_string).collect();
    if !missing.is_empty() {
        writeln!(out, "misses {}", missing.join(" "))?;
    }
    if manifest.is_some_and(|manifest| manifest.classifier.sha256 != set.classifier()) {
        writeln!(out, "learned with other models: it is learned again from its thumbnails")?;
    }
    Ok(())
}

fn hex_color([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
