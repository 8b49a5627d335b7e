//! Mapping from SQLite's errors to those of the queue and the store.

use std::io;

use rusqlite::ErrorCode;
use tilesight_files::private::is_full;

use crate::{QueueError, StoreError};

/// Failure that can be reported to every caller whose work was in the same transaction.
#[derive(Debug, Clone)]
pub(super) enum Fault {
    Unavailable(String),
    Full,
    Corrupt(String),
}

impl From<&rusqlite::Error> for Fault {
    fn from(error: &rusqlite::Error) -> Fault {
        match error {
            // A value's type differs from the layout's.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..) => Fault::Corrupt(error.to_string()),
            error => match error.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    Fault::Corrupt(error.to_string())
                }
                Some(ErrorCode::DiskFull) => Fault::Full,
                _ => Fault::Unavailable(error.to_string()),
            },
        }
    }
}

impl From<&io::Error> for Fault {
    fn from(error: &io::Error) -> Fault {
        if is_full(error) { Fault::Full } else { Fault::Unavailable(error.to_string()) }
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> StoreError {
        match fault {
            Fault::Unavailable(reason) => StoreError::Unavailable { reason },
            Fault::Full => StoreError::Full,
            Fault::Corrupt(reason) => StoreError::Corrupt { reason },
        }
    }
}

impl From<Fault> for QueueError {
    fn from(fault: Fault) -> QueueError {
        match fault {
            Fault::Unavailable(reason) => QueueError::Unavailable { reason },
            Fault::Full => QueueError::NoSpace,
            Fault::Corrupt(reason) => QueueError::Corrupt { reason },
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        Fault::from(&error).into()
    }
}

impl From<rusqlite::Error> for QueueError {
    fn from(error: rusqlite::Error) -> QueueError {
        Fault::from(&error).into()
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> StoreError {
        Fault::from(&error).into()
    }
}
