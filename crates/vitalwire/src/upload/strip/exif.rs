//! The one EXIF fact that is kept: how a picture is to be turned.

use super::number;

/// In JPEG before the data, in the others sometimes, and not all readers pass over it.
pub(super) const PREFIX: &[u8] = b"Exif\0\0";
const ORIENTATION: u16 = 0x0112;
/// Bytes of an entry: tag, type, count, value.
const ENTRY: usize = 12;

/// EXIF data that say nothing but this picture's orientation; `None` where it is upright or none is stated.
///
/// In two parts, the first the prefix if there was one. Only the first directory is read, and no further than the data reach:
/// that they are broken further on is no reason to show a picture lying.
pub(super) fn orientation_alone(data: &[u8]) -> Option<(&[u8], [u8; 26])> {
    let (prefix, tiff) = data.split_at(if data.starts_with(PREFIX) { PREFIX.len() } else { 0 });
    let orientation = orientation(tiff)?;
    // Little-endian TIFF, first directory at 8: one entry (tag, SHORT, one value), no further directory.
    let mut made = *b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0\0";
    made[18] = orientation;
    Some((prefix, made))
}

/// 2 to 8; 1 is upright.
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
