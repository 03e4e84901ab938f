//! A picture without what it tells of its maker: place, time, camera, names, thumbnails, and whatever follows its end.
//!
//! Nothing is encoded anew: the parts that make the picture are copied as they are, by a list of what is kept, so that a kind
//! of metadata that nobody here knows is left out too. What keeps colours right stays, and so does the orientation, alone: a
//! picture that was shown turned must not become one that lies on its side.
//!
//! One walk over the file, into memory of its size; nothing is kept for each part, so that a file of a million empty parts
//! takes no more. That is why JPEG and WebP are walked here: img-parts lists all parts first (18 bytes for one of the file's),
//! ends its reading of a JPEG at the first scan, and looks into no frame of an animation. EXIF libraries read every directory
//! of the data, and directories that overlap make that quadratic.

mod exif;
mod jpeg;
mod png;
mod webp;

use bytes::Bytes;

use crate::error::Error;

/// Why a picture cannot be stripped.
type Reason = &'static str;

const CUT_SHORT: Reason = "is cut short";

/// The same picture without metadata.
pub(super) fn strip(file: &Bytes) -> Result<Bytes, Error> {
    let stripped = match super::media_type(file) {
        Some("image/jpeg") => jpeg::strip(file),
        Some("image/png") => png::strip(file),
        Some("image/webp") => webp::strip(file),
        _ => Err(super::mistake(file).unwrap_or("has a format whose metadata cannot be removed; supported are JPEG, PNG and WebP")),
    };
    stripped.map(Bytes::from).map_err(refuse)
}

pub(super) fn refuse(reason: Reason) -> Error {
    Error::invalid_argument("image", reason)
}

/// An unsigned number of two or four bytes, if they are there.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}
