//! A TCP link that can be cut, for the requests from one node of a cluster to another.
//!
//! Input: where the other node listens, as soon as that is known. Output: an address that leads
//! there while the link is whole, and stays the same if the node comes back elsewhere. A cut ends
//! every connection and refuses new ones until the link is healed, as a broken network between two
//! machines does.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A connection in one direction between two nodes of the network.
#[derive(Debug)]
pub(crate) struct Link {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    cut: bool,
    /// Address of the other node; `None` until it listens.
    target: Option<SocketAddr>,
    /// Both ends of every connection that was let through.
    open: Vec<TcpStream>,
}

impl Link {
    /// A link that leads nowhere yet. Its thread ends with the process.
    pub(crate) fn nowhere() -> Link {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address");
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                // A client that can't be connected sees the connection end, and tries again.
                let _ = carry(&near, &shared);
            }
        });
        Link { address, state }
    }

    /// Sets where it leads from now on.
    pub(crate) fn lead_to(&self, target: SocketAddr) {
        self.state.lock().expect("no panic while it is held").target = Some(target);
    }

    /// Returns the address to connect to instead of the target.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts the link: all connections end and no new ones are let through.
    pub(crate) fn cut(&self) {
        let mut state = self.state.lock().expect("no panic while it is held");
        state.cut = true;
        for stream in state.open.drain(..) {
            // The connection may have ended already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Lets connections through again.
    pub(crate) fn heal(&self) {
        self.state.lock().expect("no panic while it is held").cut = false;
    }
}

fn carry(near: &TcpStream, state: &Mutex<State>) -> io::Result<()> {
    // Held while connecting, so that no connection slips past a cut.
    let mut state = state.lock().expect("no panic while it is held");
    let Some(target) = state.target.filter(|_| !state.cut) else {
        return near.shutdown(Shutdown::Both);
    };
    let far = TcpStream::connect(target)?;
    // The servers set it too: without it every answer of another node waits 40 ms for an
    // acknowledgement.
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    state.open.extend([near.try_clone()?, far.try_clone()?]);
    pump(near.try_clone()?, far.try_clone()?);
    pump(far, near.try_clone()?);
    Ok(())
}

/// Copies one way until either end closes.
fn pump(mut from: TcpStream, mut to: TcpStream) {
    thread::spawn(move || {
        let _ = io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Both);
    });
}
