//! Overlays: the photos with the detected tiles and the reading drawn onto them.
//!
//! If this process reads the photos, it draws them as they are read, into the batch's state, and
//! moves the overlays to their final names when the rows are written. A photo that was read in an
//! earlier run, or by another process of a fleet, is read once more for its overlay. Output:
//! `DIR/overlays/NAME-KEY.jpg`. Invariants: an overlay appears complete or not at all, belongs to
//! one photo and one question, and is not drawn again; the name of a photo can't make an overlay
//! leave its folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{FilterType, resize};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_jobs::plan::{
    BatchPlan, EntryWork as Wanted, OVERLAYS, PlanChunk, PlanEntry, SourceLoader,
};
use tilesight_jobs::{Item, Store, Task, TaskKey};
use tilesight_pictures::overlay;
use tilesight_vision::{Reader, Reading};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

/// Longer side of an overlay: questions are readable on a desktop screen, and a thousand overlays
/// take about 200 MB.
const SIDE: u32 = 1_600;
/// Quality of the JPEGs: letters stay sharp.
const QUALITY: u8 = 85;
/// Maximum number of characters of a photo's name in its overlay's name.
const NAME: usize = 60;
/// Number of digits of the key: among a million photos of one name, two would collide once in a
/// thousand batches.
const DIGITS: usize = 16;

/// Drawer of photos as they are read.
#[derive(Debug)]
pub(super) struct OverlayWriter {
    pub(super) reader: Arc<Reader>,
    pub(super) store: Arc<dyn Store>,
    /// Folder in which overlays wait for their rows.
    pub(super) folder: PathBuf,
    /// Runtime for fetching photos from the store.
    pub(super) runtime: Handle,
}

impl OverlayWriter {
    /// Draws a photo that was just read.
    pub(super) fn draw(&self, task: &Task, reading: &Reading) {
        let photo = self.runtime.block_on(self.store.photo(&task.table.photo));
        let file = path_of_drawing(&self.folder, &task.key);
        let drawn = match photo {
            Ok(Some(bytes)) => draw(&self.reader, &bytes, reading, task.lang, &file),
            Ok(None) => Ok(()),
            Err(error) => Err(error.into()),
        };
        // An error here is not fatal: [`Overlays::place`] finds that the overlay is missing, and
        // draws it.
        if let Err(error) = drawn {
            tracing::warn!(%error, "an overlay could not be drawn");
        }
    }
}

/// Moves overlays to their final names, and draws missing ones.
#[derive(Debug)]
pub(super) struct Overlays {
    reader: Arc<Reader>,
    book: Arc<Book>,
    limit: usize,
    folder: PathBuf,
    drawn: PathBuf,
}

impl Overlays {
    /// Creates the folder of overlays below the results.
    pub(super) fn new(
        out: &Path,
        drawn: PathBuf,
        (reader, book): (&Arc<Reader>, &Arc<Book>),
        limit: usize,
    ) -> std::io::Result<Overlays> {
        let folder = out.join(OVERLAYS);
        fs::create_dir_all(&folder)?;
        Ok(Overlays { reader: Arc::clone(reader), book: Arc::clone(book), limit, folder, drawn })
    }

    /// Returns the path of an item's overlay below the folder of the results, if it has one.
    pub(super) fn file_of(item: &Item) -> Option<String> {
        let task = task_of_reading(item)?;
        Some(format!("{OVERLAYS}/{}", name(&item.id, &task.key)))
    }

    /// Moves the overlays of the items to their final names.
    pub(super) async fn place(
        &mut self,
        plan: &Arc<BatchPlan>,
        chunk: &PlanChunk,
        items: &[Item],
    ) -> anyhow::Result<()> {
        let mut missing = Vec::new();
        for item in items {
            let Some(task) = task_of_reading(item) else { continue };
            let file = self.folder.join(name(&item.id, &task.key));
            if !file.exists() && fs::rename(path_of_drawing(&self.drawn, &task.key), &file).is_err()
            {
                missing.push((item.index, task.clone(), file));
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let reader = Arc::clone(&self.reader);
        let book = Arc::clone(&self.book);
        let plan = Arc::clone(plan);
        let chunk = *chunk;
        let loader = SourceLoader::new(self.limit);
        spawn_blocking(move || read_again(&reader, &book, loader, &plan.entries(&chunk)?, &missing))
            .await?
    }
}

/// Returns the task of an item whose photo was read.
fn task_of_reading(item: &Item) -> Option<&Task> {
    let outcome = item.outcome.as_ref()?;
    item.task.as_ref().filter(|_| !outcome.is_failure())
}

/// Reads photos once more to draw them; a photo that has vanished gets no overlay.
fn read_again(
    reader: &Reader,
    book: &Book,
    mut loader: SourceLoader,
    entries: &[PlanEntry],
    missing: &[(u64, Task, PathBuf)],
) -> anyhow::Result<()> {
    for (index, task, file) in missing {
        let entry = usize::try_from(*index).ok().and_then(|index| entries.get(index));
        let Some(Wanted::Photo(photo)) = entry.map(|entry| &entry.work) else { continue };
        let Ok(bytes) = loader.bytes(&photo.photo) else { continue };
        let Ok(options) = task.table.options(book) else { continue };
        let context = &task.table.fields.scoring.context.setup;
        if let Ok(reading) = reader.read(&bytes, context, options) {
            draw(reader, &bytes, &reading, task.lang, file)?;
        }
    }
    Ok(())
}

/// Draws a reading onto its photo and writes it as a JPEG.
fn draw(
    reader: &Reader,
    bytes: &[u8],
    reading: &Reading,
    lang: Lang,
    file: &Path,
) -> anyhow::Result<()> {
    let photo = reader.decode(bytes)?;
    let drawing = overlay::draw(photo.image(), reading, lang);
    let (width, height) = drawing.dimensions();
    let long = width.max(height);
    let drawing = if long > SIDE {
        resize(&drawing, scale(width, long), scale(height, long), FilterType::Triangle)
    } else {
        drawing
    };
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY).encode_image(&drawing)?;
    let unfinished = file.with_extension("unfinished");
    fs::write(&unfinished, jpeg)?;
    Ok(fs::rename(unfinished, file)?)
}

/// Returns a side of a photo after its longer side was scaled to that of an overlay.
fn scale(side: u32, long: u32) -> u32 {
    (u64::from(side) * u64::from(SIDE) / u64::from(long)).max(1) as u32
}

/// Returns the path under which the overlay of a task waits for its row.
fn path_of_drawing(folder: &Path, key: &TaskKey) -> PathBuf {
    folder.join(format!("{key}.jpg"))
}

/// Returns the file name of a photo's overlay.
fn name(id: &str, key: &TaskKey) -> String {
    let last = id.rsplit(std::path::is_separator).next().unwrap_or(id);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let kept: String = stem
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .take(NAME)
        .collect();
    format!("{kept}-{}.jpg", &key.to_string()[..DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_overlays_stay_in_their_folder() {
        let key: TaskKey = "ab".repeat(32).parse().expect("a hash");
        for (id, expected) in [
            ("club/IMG 1.jpg", "IMG_1-abababababababab.jpg"),
            ("../..", ".-abababababababab.jpg"),
            ("c:/x/y.png", "y-abababababababab.jpg"),
            (
                r"caf\xe9.jpg",
                if cfg!(windows) {
                    "xe9-abababababababab.jpg"
                } else {
                    "caf_xe9-abababababababab.jpg"
                },
            ),
            ("", "-abababababababab.jpg"),
            ("a\0b\n", "a_b_-abababababababab.jpg"),
        ] {
            assert_eq!(name(id, &key), expected, "{id:?}");
        }
        assert!(name(&"x".repeat(500), &key).len() < 100);
    }
}
