//! Request bodies.

use std::io::{self, Write};

use serde::Serialize;

use crate::error::Error;

/// Writes a JSON body into a buffer of exactly its size.
///
/// Serializes the value twice, first to count the bytes. A buffer that grows by doubling would take up to three times the size of a
/// picture.
pub fn json_body(value: &impl Serialize) -> Result<reqwest::Body, Error> {
    let not_serializable = |_| Error::internal("the request body cannot be serialized");
    let mut count = ByteCounter(0);
    serde_json::to_writer(&mut count, value).map_err(not_serializable)?;
    let mut body = Vec::with_capacity(count.0);
    serde_json::to_writer(&mut body, value).map_err(not_serializable)?;
    Ok(body.into())
}

struct ByteCounter(usize);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_written_into_a_buffer_of_its_size() {
        // A thousand texts of one character take 4 bytes each, with quotes and comma, plus 1 byte for the brackets.
        let body = json_body(&vec!["a"; 1000]).expect("a body");
        assert_eq!(body.as_bytes().expect("bytes").len(), 4001);
    }
}
