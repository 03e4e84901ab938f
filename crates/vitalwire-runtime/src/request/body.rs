//! Bodies of requests.

use std::io::{self, Write};

use serde::Serialize;

use crate::error::Error;

/// Writes a JSON body into memory of exactly its size.
///
/// It is written twice, the first time to count: a buffer that grows by doubling would take up to three times a picture's size.
pub fn json_body(value: &impl Serialize) -> Result<reqwest::Body, Error> {
    let unwritable = |_| Error::internal("the request's body could not be written");
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value).map_err(unwritable)?;
    let mut body = Vec::with_capacity(count.0);
    serde_json::to_writer(&mut body, value).map_err(unwritable)?;
    Ok(body.into())
}

/// Counts bytes.
struct Count(usize);

impl Write for Count {
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
    fn a_body_is_written_into_memory_of_its_size() {
        // A thousand texts of one character: brackets, quotes and commas make 4 bytes each, and one more.
        let body = json_body(&vec!["a"; 1000]).expect("a body");
        assert_eq!(body.as_bytes().expect("bytes").len(), 4001);
    }
}
