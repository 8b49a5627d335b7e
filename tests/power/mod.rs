//! A power cut, as a disk may show it: what a process did to a folder is recorded call by call, and every
//! state is made that a cut in the middle may leave behind.

pub(crate) mod disk;
pub(crate) mod record;
pub(crate) mod script;
