//! Reasons why a command stops before it is done.
//!
//! A subcommand returns an [`Exit`] or a [`Stop`]. A failure of the machine (a missing model, a
//! full disk) becomes a [`Stop`] by `?`; faults of the input are marked by [`Stop::bad_input`] or
//! described by a [`Complaint`]. Invariant: a reason is printed once, by [`Stop::report`], or by a
//! command that goes on with the rest of its input.

use std::fmt;
use std::io::{self, Write as _};

use super::complaint::Complaint;
use super::exit::Exit;
use super::{log, terminal};

/// Reason why a command stops before it is done.
#[derive(Debug)]
pub(in crate::cli) enum Stop {
    /// Arguments or input that can't be used, with the reason in one line.
    BadInput(String),
    /// Input that can't be used, with its problem.
    Refused(Box<Complaint>),
    /// Error that ends a process with a log, and is a line of it if the log is JSON.
    Logged {
        /// Whether the log is JSON.
        json: bool,
        /// Exit code of the process.
        exit: Exit,
        /// The error.
        error: anyhow::Error,
    },
    /// Failure of the machine.
    Failed(anyhow::Error),
}

/// Every other error is a failure of the machine.
impl<E: Into<anyhow::Error>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Failed(error.into())
    }
}

impl From<Complaint> for Stop {
    fn from(complaint: Complaint) -> Stop {
        Stop::Refused(Box::new(complaint))
    }
}

impl Stop {
    /// Returns the reason for arguments or input that can't be used.
    pub(in crate::cli) fn bad_input(error: impl fmt::Display) -> Stop {
        Stop::BadInput(error.to_string())
    }

    /// Prints the reason and returns the exit code. A closed pipe, as with `| head`, is not a
    /// failure.
    pub(in crate::cli) fn report(self) -> Exit {
        let error = match self.print() {
            Ok(exit) => return exit,
            Err(error) => error,
        };
        let closed_pipe = error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        if closed_pipe {
            return Exit::Done;
        }
        // If standard error is closed too, the message can't be delivered.
        let _ = writeln!(terminal::stderr(), "error: {error:#}");
        Exit::Unavailable
    }

    /// Prints a fault of the input, or returns a failure of the machine.
    fn print(self) -> anyhow::Result<Exit> {
        match self {
            Stop::BadInput(reason) => {
                writeln!(terminal::stderr(), "error: {reason}")?;
                Ok(Exit::BadInput)
            }
            Stop::Refused(complaint) => Ok(complaint.print()?),
            Stop::Logged { json, exit, error } => Ok(log::fail(json, exit, &error)?),
            Stop::Failed(error) => Err(error),
        }
    }
}
