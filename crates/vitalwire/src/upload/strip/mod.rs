//! Removes metadata from images: location, time, camera, names, thumbnails, and anything after the end of the picture.
//!
//! The image is not re-encoded. Known image parts are copied from an allowlist, so unknown kinds of metadata are dropped too. Colour
//! profiles stay, and so does the orientation; without it, the picture would be shown rotated.
//!
//! Each format is read in one pass, into a buffer of the file's size. Nothing is stored per part, so a file of a million empty parts needs
//! no extra memory. JPEG and WebP are parsed here instead of with `img-parts`, which first lists all parts (18 bytes for each of the
//! file's). It also stops reading a JPEG at the first scan, and does not look into animation frames. EXIF libraries read every directory,
//! which takes quadratic time if directories overlap.

mod exif;
mod jpeg;
mod png;
mod webp;

use bytes::Bytes;

use crate::error::Error;

/// Reason why metadata cannot be removed.
type Reason = &'static str;

const TRUNCATED: Reason = "is truncated";

/// Returns the image without metadata.
pub(super) fn strip(file: &Bytes) -> Result<Bytes, Error> {
    let stripped = match super::media_type(file) {
        Some("image/jpeg") => jpeg::strip(file),
        Some("image/png") => png::strip(file),
        Some("image/webp") => webp::strip(file),
        _ => Err(super::invalid_content(file).unwrap_or("has a format whose metadata cannot be removed; supported are JPEG, PNG and WebP")),
    };
    stripped.map(Bytes::from).map_err(invalid_image)
}

pub(super) fn invalid_image(reason: Reason) -> Error {
    Error::invalid_argument("image", reason)
}

/// Reads the bytes of a number, or returns `None` at the end of the data.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}
