//! EXIF orientation, the only EXIF field that is kept.

use super::number;

/// Prefix of EXIF data: always present in JPEG, sometimes in PNG and WebP, where not all readers skip it.
pub(super) const PREFIX: &[u8] = b"Exif\0\0";
const ORIENTATION: u16 = 0x0112;
/// Bytes of a directory entry: tag, type, count and value.
const ENTRY: usize = 12;

/// Makes EXIF data that contain only the orientation of this picture. Returns `None` if the picture is upright or states no orientation.
///
/// The result has two parts: the prefix, if there was one, and the new data. Only the first directory is read. Later damage is ignored,
/// because it is no reason to lose the orientation.
pub(super) fn orientation_only(data: &[u8]) -> Option<(&[u8], [u8; 26])> {
    let (prefix, tiff) = data.split_at(if data.starts_with(PREFIX) { PREFIX.len() } else { 0 });
    let orientation = orientation(tiff)?;
    // Little-endian TIFF with its first directory at offset 8: one entry (tag, SHORT, one value), no further directory.
    let mut made = *b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0";
    made[18] = orientation;
    Some((prefix, made))
}

/// Returns the orientation, 2 to 8. Returns `None` for 1, which is upright.
fn orientation(tiff: &[u8]) -> Option<u8> {
    let little = match tiff.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at| number(tiff, at).map(if little { u16::from_le_bytes } else { u16::from_be_bytes });
    let long = |at| number(tiff, at).map(if little { u32::from_le_bytes } else { u32::from_be_bytes });
    let directory = usize::try_from(long(4)?).ok()?;
    let entries = usize::from(short(directory)?);
    for entry in 0..entries {
        let at = directory.checked_add(2 + entry * ENTRY)?;
        if short(at)? == ORIENTATION {
            let value = match short(at + 2)? {
                1 => u32::from(*tiff.get(at + 8)?),
                3 => u32::from(short(at + 8)?),
                4 => long(at + 8)?,
                _ => return None,
            };
            return u8::try_from(value).ok().filter(|value| (2..=8).contains(value));
        }
    }
    None
}
