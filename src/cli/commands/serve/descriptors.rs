//! Limits the connections to the file descriptors that the process may open: each connection takes
//! one.
//!
//! Many systems set a limit of 1,024 at first and permit a process to raise it far. With the
//! initial limit, enough connections from strangers would keep the service from opening its own
//! files. Invariant: connections never take the last [`RESERVED`] descriptors.

#[cfg(unix)]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for everything but connections: the library, the store and its readers, photos that
/// are written, and webhooks, which are bounded too. A busy service had 60 of them open, counted in
/// /proc.
#[cfg(unix)]
const RESERVED: u64 = 256;

/// Raises the system's limit on descriptors as needed, and returns the number of connections that
/// they suffice for.
#[cfg(unix)]
pub(super) fn raise_limit(connections: usize) -> usize {
    let wanted = (connections as u64).saturating_add(RESERVED);
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // There may be no limit at all.
    let Some(now) = current.filter(|&now| now < wanted) else { return connections };
    let max = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    let asked = Rlimit { current: Some(max), maximum };
    let got = if setrlimit(Resource::Nofile, asked).is_ok() { max } else { now };
    let possible = connections_within(connections, got);
    if possible < connections {
        tracing::warn!(
            connections = possible,
            "the system lets this process open {got} files: raise that to {wanted} (`ulimit -n`), or ask for fewer \
             with --connections"
        );
    }
    possible
}

/// Returns the number unchanged, on systems without such a limit.
#[cfg(not(unix))]
pub(super) fn raise_limit(connections: usize) -> usize {
    connections
}

/// Returns the number of connections that the descriptors suffice for; half of the descriptors if
/// there are very few.
#[cfg(unix)]
fn connections_within(connections: usize, descriptors: u64) -> usize {
    let room = descriptors.saturating_sub(RESERVED).max(descriptors / 2).max(1);
    connections.min(usize::try_from(room).unwrap_or(usize::MAX))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_everything_else() {
        for (connections, descriptors, expected) in
            [(1024, 1280, 1024), (1024, 1024, 768), (20, 300, 20), (1024, 300, 150), (1024, 1, 1)]
        {
            assert_eq!(connections_within(connections, descriptors), expected, "{descriptors}");
        }
    }
}
