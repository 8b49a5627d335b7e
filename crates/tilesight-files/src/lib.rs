//! Files that people name, that settings name, and that the program keeps for itself.
//!
//! [`input`] reads what an untrusted person names, within a limit; [`trusted`] reads what the
//! program relies on, if nobody else can have changed it; [`private`] keeps what concerns people,
//! readable by its owner only.

pub mod input;
pub mod private;
pub mod replace;
pub mod trusted;
