//! Documents with revisions.

use async_trait::async_trait;
use rusqlite::{OptionalExtension as _, params};

use super::EmbeddedStore;
use super::queue::number;
use super::writer::Safety;
use crate::{Documents, Name, Revision, StoreError};

#[async_trait]
impl Documents for EmbeddedStore {
    async fn load(
        &self,
        kind: &Name,
        id: &Name,
    ) -> Result<Option<(Revision, Vec<u8>)>, StoreError> {
        let key = [kind.to_string(), id.to_string()];
        let load = self.readers.read(move |db| {
            let mut select = db.prepare_cached(
                "SELECT revision, bytes FROM documents WHERE kind = ? AND id = ?",
            )?;
            let row = select.query_row(key, |row| Ok((Revision(row.get(0)?), row.get(1)?)));
            Ok::<_, StoreError>(row.optional()?)
        });
        load.await
    }

    async fn revision(&self, kind: &Name, id: &Name) -> Result<Option<Revision>, StoreError> {
        let key = [kind.to_string(), id.to_string()];
        let load = self.readers.read(move |db| {
            let mut select =
                db.prepare_cached("SELECT revision FROM documents WHERE kind = ? AND id = ?")?;
            let row = select.query_row(key, |row| Ok(Revision(row.get(0)?)));
            Ok::<_, StoreError>(row.optional()?)
        });
        load.await
    }

    async fn save(
        &self,
        kind: &Name,
        id: &Name,
        expected: Option<Revision>,
        bytes: &[u8],
    ) -> Result<Revision, StoreError> {
        let kind = kind.to_string();
        let id = id.to_string();
        let bytes = bytes.to_vec();
        let save = self.writer.write(Safety::PowerCut, move |db| {
            let revision = number(db)?;
            // A number that was never used, so that the revision of a removed document is detected.
            let saved = match expected {
                None => db
                    .prepare_cached("INSERT OR IGNORE INTO documents VALUES (?, ?, ?, ?)")?
                    .execute(params![kind, id, revision, bytes])?,
                Some(Revision(expected)) => db
                    .prepare_cached(
                        "UPDATE documents SET revision = ?3, bytes = ?4
                         WHERE kind = ?1 AND id = ?2 AND revision = ?5",
                    )?
                    .execute(params![kind, id, revision, bytes, expected])?,
            };
            if saved == 1 { Ok(Revision(revision)) } else { Err(StoreError::Conflict) }
        });
        save.await
    }

    async fn list(&self, kind: &Name) -> Result<Vec<Name>, StoreError> {
        let kind = kind.to_string();
        let list = self.readers.read(move |db| {
            let mut select =
                db.prepare_cached("SELECT id FROM documents WHERE kind = ? ORDER BY id")?;
            let rows = select.query_map([kind], |row| row.get::<_, String>(0))?;
            rows.map(|id| id?.parse().map_err(|error| StoreError::corrupt(&error))).collect()
        });
        list.await
    }

    async fn remove(&self, kind: &Name, id: &Name) -> Result<(), StoreError> {
        let key = [kind.to_string(), id.to_string()];
        let remove = self.writer.write(Safety::PowerCut, move |db| {
            db.prepare_cached("DELETE FROM documents WHERE kind = ? AND id = ?")?.execute(key)?;
            Ok(())
        });
        remove.await
    }
}
