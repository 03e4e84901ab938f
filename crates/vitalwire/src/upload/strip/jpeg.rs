//! JPEG (ITU-T T.81): a sequence of segments. Coded data follow each start of scan, up to the end of the image.

use img_parts::jpeg::markers::{APP0, APP1, APP2, APP14, DHT, DQT, EOI, EXP, RST0, RST7, SOF0, SOF15, SOI, SOS};

use super::{Reason, TRUNCATED, exif, number};

/// Reserved for extensions; lies within the range of the frame markers.
const JPG: u8 = 0xC8;
const DAC: u8 = 0xCC;
const TEM: u8 = 0x01;
const JFIF: &[u8] = b"JFIF\0";
/// Bytes of name, version, unit and both densities. The size of a thumbnail follows, in two bytes.
const JFIF_HEADER_BYTES: usize = 12;
const ICC: &[u8] = b"ICC_PROFILE\0";
const ADOBE: &[u8] = b"Adobe";
/// Bytes of name, version, two flags and the colour transform.
const ADOBE_BYTES: usize = 12;

pub(super) fn strip(file: &[u8]) -> Result<Vec<u8>, Reason> {
    let mut out = Vec::with_capacity(file.len());
    out.extend([0xFF, SOI]);
    let mut at = 2;
    let (mut frames, mut scans, mut has_exif) = (false, false, false);
    // Whether coded data begin at `at`.
    let mut coded = false;
    loop {
        let (marker, start) = next_marker(file, at, coded).ok_or(TRUNCATED)?;
        if coded {
            out.extend_from_slice(&file[at..start]);
            coded = false;
        }
        at = start + 2;
        match marker {
            EOI if scans => {
                out.extend([0xFF, EOI]);
                return Ok(out);
            }
            EOI => return Err("contains no image"),
            SOI => return Err("contains a second start of image"),
            RST0..=RST7 | TEM => continue,
            JPG | 0x02..SOF0 => return Err("contains an invalid segment"),
            _ => {}
        }
        let contents = contents(file, at)?;
        at += 2 + contents.len();
        match marker {
            APP0 if contents.starts_with(JFIF) && contents.len() >= JFIF_HEADER_BYTES + 2 => {
                write_segment(&mut out, marker, &[&contents[..JFIF_HEADER_BYTES], &[0, 0]]);
            }
            // Readers take the orientation from the first block, and from no block after image data.
            APP1 if contents.starts_with(exif::PREFIX) && !scans && !has_exif => {
                has_exif = true;
                if let Some((prefix, orientation)) = exif::orientation_only(contents) {
                    write_segment(&mut out, marker, &[prefix, &orientation]);
                }
            }
            APP2 if contents.starts_with(ICC) => write_segment(&mut out, marker, &[contents]),
            APP14 if contents.starts_with(ADOBE) && contents.len() >= ADOBE_BYTES => {
                write_segment(&mut out, marker, &[&contents[..ADOBE_BYTES]]);
            }
            SOS if !frames => return Err("contains no image"),
            SOS => {
                write_segment(&mut out, marker, &[contents]);
                (scans, coded) = (true, true);
            }
            DHT | DAC | DQT..=EXP => write_segment(&mut out, marker, &[contents]),
            SOF0..=SOF15 => {
                write_segment(&mut out, marker, &[contents]);
                frames = true;
            }
            // Drop application data, comments and extensions.
            _ => {}
        }
    }
}

/// Finds the next marker and the position of its `0xFF`. Between segments, bytes that are not a marker are skipped.
fn next_marker(file: &[u8], mut at: usize, coded: bool) -> Option<(u8, usize)> {
    loop {
        at += memchr::memchr(0xFF, file.get(at..)?)?;
        match *file.get(at + 1)? {
            // An escaped data byte 0xFF.
            0x00 => at += 2,
            RST0..=RST7 if coded => at += 2,
            // A marker may be preceded by any number of 0xFF bytes.
            0xFF => at += 1,
            marker => return Some((marker, at)),
        }
    }
}

/// Returns the contents of the segment whose length is at `at`. The length includes its own two bytes.
fn contents(file: &[u8], at: usize) -> Result<&[u8], Reason> {
    let length = usize::from(u16::from_be_bytes(number(file, at).ok_or(TRUNCATED)?));
    if length < 2 {
        return Err("contains a segment of an invalid length");
    }
    file.get(at + 2..at + length).ok_or(TRUNCATED)
}

/// Writes a segment. It is never longer than a segment of the file, so its length fits.
fn write_segment(out: &mut Vec<u8>, marker: u8, contents: &[&[u8]]) {
    let length = contents.iter().map(|part| part.len()).sum::<usize>() + 2;
    out.extend([0xFF, marker]);
    out.extend(u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes());
    contents.iter().for_each(|part| out.extend_from_slice(part));
}
