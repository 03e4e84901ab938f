//! Pictures without their metadata: real files, made by encoders, read again by decoders that know nothing of us.

mod hostile;
mod kept;
mod memory;
mod orientation;
mod samples;

use vitalwire::Error;
use vitalwire::upload::Image;

/// What a file becomes, as it would be sent.
fn strip(file: &[u8]) -> Result<Vec<u8>, Error> {
    Image::from_bytes(file.to_vec()).without_metadata().map(|image| image.bytes().unwrap().to_vec())
}
