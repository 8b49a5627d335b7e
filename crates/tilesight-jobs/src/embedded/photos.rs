//! Photos: rows that record which job keeps which photo, and the files that the rows name.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::EmbeddedStore;
use super::files::{self, PhotoFolder};
use super::rows::is_there;
use super::writer::Safety;
use crate::{JobId, PhotoId, StoreError};

/// Keeps a photo for a job.
pub(super) async fn put(
    store: &EmbeddedStore,
    job: &JobId,
    bytes: &[u8],
) -> Result<PhotoId, StoreError> {
    let job = *job;
    let photo = PhotoId::from_bytes(bytes);
    let files = Arc::clone(&store.files);
    let known =
        store.writer.write(Safety::PowerCut, move |db| keep_known(db, &files, &job, &photo));
    if known.await? {
        return Ok(photo);
    }
    let files = Arc::clone(&store.files);
    let copy = bytes.to_vec();
    let name = blocking(move || Ok(files.write(&photo, &copy)?)).await?;
    let written = name.clone();
    let size = bytes.len();
    let kept = store
        .writer
        .write(Safety::PowerCut, move |db| {
            keep(db, &job, &photo, &PhotoLocation::Folder(written), size)
        })
        .await;
    // Either the job is gone, or another caller stored the same photo in the meantime.
    if !matches!(kept, Ok(true)) {
        store.files.remove(&name);
    }
    kept.map(|_| photo)
}

/// Keeps a photo for a job in place.
pub(super) async fn adopt(
    store: &EmbeddedStore,
    job: &JobId,
    photo: &PhotoId,
    path: &Path,
) -> Result<(), StoreError> {
    let job = *job;
    let photo = *photo;
    let path = std::path::absolute(path)?.into_os_string().into_string().map_err(|path| {
        StoreError::Unavailable {
            reason: format!(
                "the path {} is not UTF-8: the photo can't be used in place",
                path.display()
            ),
        }
    })?;
    let place = PhotoLocation::Outside(path);
    // The photo takes no space in this store.
    let kept =
        store.writer.write(Safety::PowerCut, move |db| keep(db, &job, &photo, &place, 0)).await;
    kept.map(drop)
}

/// Location of a photo's bytes.
#[derive(Debug)]
enum PhotoLocation {
    /// File in this store's folder, by name.
    Folder(String),
    /// File of the owner's outside the folder, by path.
    Outside(String),
}

fn location(db: &Connection, photo: &PhotoId) -> Result<Option<PhotoLocation>, rusqlite::Error> {
    let mut select = db.prepare_cached("SELECT file, adopted FROM photos WHERE photo = ?")?;
    let row = select.query_row([photo.to_string()], |row| {
        let file = row.get(0)?;
        Ok(if row.get(1)? { PhotoLocation::Outside(file) } else { PhotoLocation::Folder(file) })
    });
    row.optional()
}

/// Keeps a photo that is already stored; returns whether it is.
fn keep_known(
    db: &Connection,
    files: &PhotoFolder,
    job: &JobId,
    photo: &PhotoId,
) -> Result<bool, StoreError> {
    is_there(db, job)?;
    let Some(PhotoLocation::Folder(name)) = location(db, photo)? else { return Ok(false) };
    if files.has(&name) {
        note(db, job, photo)?;
        return Ok(true);
    }
    // The file was deleted from outside. The next write of the same bytes restores it.
    db.prepare_cached("DELETE FROM photos WHERE photo = ?")?.execute([photo.to_string()])?;
    Ok(false)
}

/// Keeps a photo at a place; returns whether the photo is now read from that place. A file in the
/// store's folder replaces a file outside, which may vanish.
fn keep(
    db: &Connection,
    job: &JobId,
    photo: &PhotoId,
    new: &PhotoLocation,
    bytes: usize,
) -> Result<bool, StoreError> {
    is_there(db, job)?;
    let (file, adopted) = match new {
        PhotoLocation::Folder(file) => (file, false),
        PhotoLocation::Outside(file) => (file, true),
    };
    let mut insert = db.prepare_cached(
        "INSERT INTO photos (photo, file, adopted, bytes) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET file = ?2, adopted = ?3 WHERE adopted",
    )?;
    let new = insert.execute(params![photo.to_string(), file, adopted, bytes])? > 0;
    note(db, job, photo)?;
    Ok(new)
}

/// Records that a job keeps a photo, and adds the photo's bytes to the job's count.
fn note(db: &Connection, job: &JobId, photo: &PhotoId) -> Result<(), StoreError> {
    let mut insert = db.prepare_cached("INSERT OR IGNORE INTO kept (job, photo) VALUES (?, ?)")?;
    let job = job.to_string();
    let photo = photo.to_string();
    if insert.execute([&job, &photo])? == 1 {
        let mut count = db.prepare_cached(
            "UPDATE jobs SET bytes = bytes + (SELECT bytes FROM photos WHERE photo = ?) WHERE id = ?",
        )?;
        count.execute([photo, job])?;
    }
    Ok(())
}

/// Returns a photo's bytes.
pub(super) async fn get(
    store: &EmbeddedStore,
    photo: &PhotoId,
) -> Result<Option<Vec<u8>>, StoreError> {
    let photo = *photo;
    let files = Arc::clone(&store.files);
    let place = store.readers.read(move |db| Ok::<_, StoreError>(location(db, &photo)?)).await?;
    let Some(place) = place else { return Ok(None) };
    blocking(move || {
        let (bytes, outside) = match place {
            PhotoLocation::Folder(name) => (files.read(&name)?, false),
            PhotoLocation::Outside(path) => {
                (files::read(Path::new(&path)).or_else(ignore_replaced)?, true)
            }
        };
        match bytes {
            Some(bytes) if PhotoId::from_bytes(&bytes) == photo => Ok(Some(bytes)),
            // The owner changed the file.
            Some(_) if outside => Ok(None),
            Some(_) => {
                Err(StoreError::corrupt(&format!("the bytes of the photo {photo} have changed")))
            }
            None => Ok(None),
        }
    })
    .await
}

/// Treats an outside file that can no longer be a photo as removed: a device, a folder, a huge
/// file.
fn ignore_replaced(error: io::Error) -> io::Result<Option<Vec<u8>>> {
    match error.kind() {
        io::ErrorKind::FileTooLarge | io::ErrorKind::InvalidInput | io::ErrorKind::IsADirectory => {
            Ok(None)
        }
        _ => Err(error),
    }
}

/// Releases all photos of a job.
pub(super) async fn drop_all(store: &EmbeddedStore, job: &JobId) -> Result<(), StoreError> {
    let job = *job;
    let removed = store.writer.write(Safety::PowerCut, move |db| release(db, &job)).await?;
    remove_files(store, removed).await
}

/// Removes the records of the photos that a job keeps, and returns the files that no job keeps any
/// more.
pub(super) fn release(db: &Connection, job: &JobId) -> Result<Vec<String>, StoreError> {
    let job = job.to_string();
    let mut count = db.prepare_cached(
        "UPDATE jobs SET bytes = max(0, bytes - (SELECT coalesce(sum(photos.bytes), 0) FROM kept
         JOIN photos ON photos.photo = kept.photo WHERE kept.job = ?1)) WHERE id = ?1",
    )?;
    count.execute([&job])?;
    let mut alone = db.prepare_cached(
        "DELETE FROM photos WHERE photo IN (SELECT photo FROM kept WHERE job = ?1)
         AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.photo = photos.photo AND kept.job <> ?1)
         RETURNING file, adopted",
    )?;
    let rows =
        alone.query_map([&job], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)))?;
    let mut files = Vec::new();
    for row in rows {
        let (file, adopted) = row?;
        // An adopted file still belongs to its owner.
        if !adopted {
            files.push(file);
        }
    }
    db.prepare_cached("DELETE FROM kept WHERE job = ?")?.execute([&job])?;
    Ok(files)
}

/// Removes the files of photos whose rows are gone.
pub(super) async fn remove_files(
    store: &EmbeddedStore,
    names: Vec<String>,
) -> Result<(), StoreError> {
    let files = Arc::clone(&store.files);
    blocking(move || {
        names.iter().for_each(|name| files.remove(name));
        Ok(())
    })
    .await
}

/// Removes files without a row, which killed processes left behind. Returns their number.
pub(super) async fn sweep(store: &EmbeddedStore) -> Result<u64, StoreError> {
    let files = Arc::clone(&store.files);
    let old = blocking(move || Ok(files.old(SystemTime::now())?)).await?;
    if old.is_empty() {
        return Ok(0);
    }
    let litter = store.readers.read(move |db| {
        let mut known = db.prepare_cached("SELECT 1 FROM photos WHERE file = ? AND NOT adopted")?;
        let mut litter = Vec::new();
        for name in old {
            if !known.exists([&name])? {
                litter.push(name);
            }
        }
        Ok::<_, StoreError>(litter)
    });
    let litter = litter.await?;
    let count = litter.len() as u64;
    remove_files(store, litter).await?;
    Ok(count)
}

/// Runs work on a thread that may block on the disk.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(StoreError::unavailable(&error)))
}
