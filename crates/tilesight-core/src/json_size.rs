//! The size of a value as JSON, which limits journals.

use std::io;

use serde::Serialize;

/// Returns the number of bytes of a value as JSON, without keeping the text. The keys of its maps
/// must be texts.
pub(crate) fn json_size(value: &impl Serialize) -> usize {
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).expect("its keys are texts");
    count.0
}

/// A writer that counts bytes and discards them.
struct Count(usize);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
