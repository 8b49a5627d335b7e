//! Output of the commands: text and data on the terminal, files, the log, and the exit code.

pub(super) mod columns;
pub(super) mod complaint;
pub(super) mod exit;
pub(super) mod file;
pub(super) mod log;
pub(super) mod stop;
pub(super) mod table;
pub(super) mod terminal;

pub(super) use self::complaint::Complaint;
pub(super) use self::exit::Exit;
pub(super) use self::stop::Stop;
