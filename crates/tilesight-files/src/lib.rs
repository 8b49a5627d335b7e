//! Access to files that people name, that settings name, and that the program keeps for itself.
//!
//! ```
//! use tilesight_files::{input, private, replace, trusted};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! // A file about people is readable by its owner only.
//! private::write_new(&folder.join("keys"), b"secret")?;
//!
//! // A file that a setting names is read only if no other user can have changed it.
//! assert_eq!(trusted::read_to_string(&folder.join("keys"))?, "secret");
//!
//! // A file that anybody names is read up to a limit, and devices and pipes are refused.
//! assert!(input::read(&folder.join("keys"), 4).is_err());
//!
//! // A file is replaced as a whole, or stays as it is.
//! replace::replace_keeping_access(&folder.join("keys"), b"other")?;
//! assert_eq!(input::read(&folder.join("keys"), 100)?, b"other");
//! # Ok(())
//! # }
//! ```
//!
//! # Parts
//! - [`input`] reads what an untrusted person names, within a limit.
//! - [`trusted`] reads what the program relies on, if nobody else can have changed it.
//! - [`private`] keeps what concerns people, readable by its owner only.
//! - [`mod@replace`] replaces files as a whole.
//! - [`access`] finds and closes files that other users can reach.
//!
//! # Features and their cost
//! There are none. On Unix the crate depends on `rustix` for flags and user numbers; elsewhere
//! files have the permissions of their folder, and [`trusted`] checks the kind and the size only.

pub mod access;
pub mod input;
pub mod private;
pub mod replace;
pub mod trusted;

/// Generated functions, one for each text of the catalogues.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}
