//! Mahjong Competition Rules.

mod fan;
mod options;

pub use fan::{Fan, ParseFanError};
pub use options::Options;
