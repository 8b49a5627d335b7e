//! Connection whose client must read its answers.
//!
//! Input: a stream, the time for which its client may keep an answer waiting, and the number of
//! bytes per second that earn this time back. Output: the same stream, whose writes fail with
//! `TimedOut` once the time is used up. Only time in which bytes wait to be written counts: an
//! event stream without events costs nothing. Invariants: a client that reads nothing is
//! disconnected after the limit, a client that reads a byte now and then soon after it, and a
//! client that reads at the rate never; while an answer waits, nothing more is read, so that no
//! answers are made that the client does not read.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// Bytes that the kernel may buffer for a connection beside those in flight. A write continues when
/// half of them are gone, so this is the resolution at which a client's reading is seen: 8 KB at
/// 1,000 bytes a second are well within 20 s. Otherwise the kernel buffers megabytes, and a slow
/// client seems to read nothing for minutes.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: u32 = 16_384;

/// Limit on the slowness of a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Maximum time for which the client may keep an answer waiting.
    pub(super) limit: Duration,
    /// Bytes per second that earn the time back; with 0 any byte earns all of it back.
    pub(super) rate: u64,
}

impl Pace {
    /// Returns the time that `bytes` written bytes earn back.
    fn won(self, bytes: usize) -> Duration {
        let micros = (bytes as u64).saturating_mul(1_000_000).checked_div(self.rate);
        micros.map_or(self.limit, Duration::from_micros)
    }

    /// Sets the kernel's options, which detect what the program can't, such as a client that
    /// vanished. If an option is not supported, the program's own clock still applies.
    pub(super) fn prepare(self, stream: &TcpStream) {
        // Answers are short; otherwise the last segment may wait for an acknowledgement.
        let _ = stream.set_nodelay(true);
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            let socket = socket2::SockRef::from(stream);
            let _ = socket.set_tcp_notsent_lowat(UNSENT);
            let _ = socket.set_tcp_user_timeout(Some(self.limit));
        }
    }
}

/// Stream at the pace of a client.
#[derive(Debug)]
pub(super) struct PacedStream<S> {
    stream: S,
    pace: Pace,
    /// Time for which the client may still keep an answer waiting.
    left: Duration,
    waiting: Option<Waiting>,
    /// Reader to wake when no bytes wait to be written.
    reader: Option<Waker>,
}

/// Bytes that could not be written yet.
#[derive(Debug)]
struct Waiting {
    since: Instant,
    over: Pin<Box<Sleep>>,
}

impl<S> PacedStream<S> {
    pub(super) fn new(stream: S, pace: Pace) -> PacedStream<S> {
        PacedStream { stream, pace, left: pace.limit, waiting: None, reader: None }
    }

    /// Accounts for the result of a write.
    fn wrote(
        &mut self,
        cx: &mut Context<'_>,
        wrote: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let Poll::Ready(wrote) = wrote else {
            return self.wait(cx).map(Err);
        };
        if let Some(Waiting { since, .. }) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        if let Ok(bytes) = wrote {
            self.left = self.left.saturating_add(self.pace.won(bytes)).min(self.pace.limit);
        }
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
        Poll::Ready(wrote)
    }

    /// Fails when the client's time is used up.
    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Error> {
        let left = self.left;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Waiting { since: Instant::now(), over: Box::pin(sleep(left)) });
        ready!(waiting.over.as_mut().poll(cx));
        Poll::Ready(io::Error::new(io::ErrorKind::TimedOut, "the client does not read its answer"))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.waiting.is_some() {
            self.reader = Some(cx.waker().clone());
            return Poll::Pending;
        }
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(cx, wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.wrote(cx, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_flush(cx) {
            Poll::Pending => self.wait(cx).map(Err),
            flushed => flushed,
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_shutdown(cx) {
            Poll::Pending => self.wait(cx).map(Err),
            shut => shut,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    const PACE: Pace = Pace { limit: Duration::from_secs(20), rate: 1_000 };

    /// Returns a stream that holds `holds` bytes until its other end reads them.
    fn pair(holds: usize) -> (PacedStream<DuplexStream>, DuplexStream) {
        let (here, there) = duplex(holds);
        (PacedStream::new(here, PACE), there)
    }

    /// Writes a large answer to a client that reads `bytes` bytes in every `pause`. Returns the
    /// duration and the error.
    async fn written(bytes: usize, pause: Duration) -> (Duration, Option<io::ErrorKind>) {
        let (mut stream, mut client) = pair(1_000);
        let reading = tokio::spawn(async move {
            let mut taken = vec![0; bytes];
            loop {
                tokio::time::sleep(pause).await;
                if client.read_exact(&mut taken).await.is_err() {
                    return;
                }
            }
        });
        let start = Instant::now();
        let wrote = stream.write_all(&[0; 100_000]).await;
        reading.abort();
        (start.elapsed(), wrote.err().map(|error| error.kind()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_stalled_client_is_cut_off_and_a_slow_one_is_not() {
        let second = Duration::from_secs(1);
        let timed_out = Some(io::ErrorKind::TimedOut);
        assert_eq!(written(1, 3_600 * second).await, (20 * second, timed_out), "nothing");
        // Each byte arrives just in time for a clock that any byte would reset.
        let (took, end) = written(1, 19 * second).await;
        assert!(end == timed_out && took < 40 * second, "a byte now and then: {took:?}");
        let (took, end) = written(500, second).await;
        assert!(end == timed_out && took < 60 * second, "half the rate: {took:?}");
        assert_eq!(written(1_000, second).await.1, None, "the rate");
        // A client in an elevator between two floors, with a good network before and after.
        assert_eq!(written(50_000, 19 * second).await.1, None);
    }

    #[tokio::test(start_paused = true)]
    async fn only_bytes_that_wait_cost_time() {
        let (mut stream, mut client) = pair(100);
        for _ in 0..50 {
            stream.write_all(b"event").await.unwrap();
            client.read_exact(&mut [0; 5]).await.unwrap();
            tokio::time::sleep(10 * PACE.limit).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn small_answers_win_no_more_time_than_they_are_worth() {
        let (mut stream, mut client) = pair(10);
        let start = Instant::now();
        let reading = tokio::spawn(async move {
            // The client reads the length of one answer just before the time is over: otherwise
            // each answer would have a time of its own.
            while client.read_exact(&mut [0; 10]).await.is_ok() {
                tokio::time::sleep(Duration::from_secs(19)).await;
            }
        });
        let mut answers = 0;
        let error = loop {
            match stream.write_all(&[0; 10]).await {
                Ok(()) => stream.flush().await.unwrap(),
                Err(error) => break error,
            }
            answers += 1;
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(answers < 6 && start.elapsed() < Duration::from_secs(60), "{answers}");
        reading.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn requests_wait_while_a_client_does_not_read_its_answer() {
        let (mut stream, mut client) = pair(10);
        client.write_all(b"next").await.unwrap();
        let both = async {
            let (mut reading, mut writing) = tokio::io::split(&mut stream);
            let mut next = [0; 4];
            let (wrote, read) = tokio::join!(writing.write_all(&[0; 20]), async {
                tokio::task::yield_now().await;
                reading.read_exact(&mut next).await.map(|_| Instant::now())
            });
            wrote.unwrap();
            read.unwrap()
        };
        let start = Instant::now();
        let client = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            client.read_exact(&mut [0; 20]).await.unwrap();
        };
        let (read, ()) = tokio::join!(both, client);
        assert!(read - start >= Duration::from_secs(5), "it was read while an answer waited");
    }
}
