//! Bodies of requests.

use std::io::{self, Write};

use serde::Serialize;

use crate::error::Error;

/// Writes a JSON body into memory of exactly its size.
///
/// It is written twice, the first time to count: a buffer that grows by doubling would take up to three times a picture's size.
pub(crate) fn json_body(value: &impl Serialize) -> Result<reqwest::Body, Error> {
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
    use crate::operations::LabReportsUploadParams;

    #[test]
    fn a_body_is_written_into_memory_of_its_size() {
        // 1,000,001 bytes are 333,334 groups of three (the last of two): 1,333,336 characters.
        let body = json_body(&LabReportsUploadParams::new(vec![7_u8; 1_000_001], "a\"b")).expect("a body");
        let bytes = body.as_bytes().expect("bytes");
        assert_eq!(bytes.len(), r#"{"body":"","filename":"a\"b"}"#.len() + 1_333_336);
    }
}
