//! Documents: one record each, whose revision is used for compare and swap.

use async_trait::async_trait;
use tilesight_jobs::{Documents, Name, Revision, StoreError};

use super::Nats;
use super::records::parse_keys;

#[async_trait]
impl Documents for Nats {
    async fn load(
        &self,
        kind: &Name,
        id: &Name,
    ) -> Result<Option<(Revision, Vec<u8>)>, StoreError> {
        let found = self.documents().await?.load(&key(kind, id)).await?;
        Ok(found.map(|(revision, bytes)| (Revision(revision), bytes)))
    }

    async fn save(
        &self,
        kind: &Name,
        id: &Name,
        expected: Option<Revision>,
        bytes: &[u8],
    ) -> Result<Revision, StoreError> {
        let expected = expected.map(|Revision(revision)| revision);
        let saved = self.documents().await?.save(&key(kind, id), bytes.to_vec(), expected).await?;
        saved.map(Revision).ok_or(StoreError::Conflict)
    }

    async fn list(&self, kind: &Name) -> Result<Vec<Name>, StoreError> {
        let keys = self.documents().await?.list(&format!("{kind}.")).await?;
        let mut ids: Vec<Name> = parse_keys(&keys)?;
        ids.sort_unstable();
        Ok(ids)
    }

    async fn remove(&self, kind: &Name, id: &Name) -> Result<(), StoreError> {
        self.documents().await?.clear(&key(kind, id)).await
    }
}

fn key(kind: &Name, id: &Name) -> String {
    format!("{kind}.{id}")
}
