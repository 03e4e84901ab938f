//! Tests of pictures without metadata. The files are from real encoders and are checked with independent decoders.

mod content;
mod hostile;
mod memory;
mod orientation;
mod samples;

use vitalwire::Error;
use vitalwire::upload::Image;

/// Strips a file and returns the bytes to send.
fn strip(file: &[u8]) -> Result<Vec<u8>, Error> {
    Image::from_bytes(file.to_vec()).without_metadata().map(|image| image.bytes().unwrap().to_vec())
}
