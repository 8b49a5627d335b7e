//! Exit codes of the command.

use std::process::ExitCode;

/// Exit code of a command. Of several, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// The command succeeded.
    Done = 0,
    /// The input was understood, but contains no hand that can be scored or read.
    NoResult = 1,
    /// The arguments or the input can't be used. clap exits with the same code.
    BadInput = 2,
    /// A resource of this machine is missing or broken.
    Unavailable = 3,
    /// The command was interrupted. Shells use this code for SIGINT.
    Stopped = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
