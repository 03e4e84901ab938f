//! WebP: chunks in a RIFF container. The extended format begins with `VP8X`, whose flags list the optional chunks.

use super::{Reason, TRUNCATED, exif, number};

const ICC_FLAG: u8 = 0x20;
const ALPHA_FLAG: u8 = 0x10;
const EXIF_FLAG: u8 = 0x08;
const ANIMATION_FLAG: u8 = 0x02;
/// Bytes of the `VP8X` chunk: flags, three reserved bytes, width and height in three bytes each.
const CANVAS: usize = 10;
/// Bytes of a frame's position, size, duration and flags.
const FRAME: usize = 16;

pub(super) fn strip(file: &[u8]) -> Result<Vec<u8>, Reason> {
    // `RIFF`, the size and `WEBP` were checked when the format was detected.
    let size = usize::try_from(u32::from_le_bytes(number(file, 4).ok_or(TRUNCATED)?)).map_err(|_| TRUNCATED)?;
    let mut list = size.checked_add(8).and_then(|end| file.get(12..end)).ok_or(TRUNCATED)?;
    let mut out = Vec::with_capacity(file.len());
    out.extend(*b"RIFF\0\0\0\0WEBP");
    // Position of the flags in the output, and their original value.
    let mut extended: Option<(usize, u8)> = None;
    let (mut picture, mut oriented, mut has_exif) = (false, false, false);
    let mut first = true;
    while let Some((id, data)) = next_chunk(&mut list)? {
        match &id {
            b"VP8X" => {
                let canvas = data.get(4..CANVAS).filter(|_| first).ok_or("has a header that is damaged or misplaced")?;
                extended = Some((out.len() + 8, data[0]));
                write_chunk(&mut out, id, &[&[0_u8; 4][..], canvas])?;
            }
            b"VP8 " | b"VP8L" => {
                picture = true;
                write_chunk(&mut out, id, &[data])?;
            }
            b"ICCP" | b"ALPH" | b"ANIM" => write_chunk(&mut out, id, &[data])?,
            b"ANMF" => {
                let (header, chunks) = data.split_at_checked(FRAME).ok_or(TRUNCATED)?;
                write_frame(&mut out, header, chunks)?;
                picture = true;
            }
            // Readers take the orientation from the first chunk.
            b"EXIF" if !has_exif => {
                has_exif = true;
                if let Some((prefix, orientation)) = exif::orientation_only(data) {
                    oriented = true;
                    write_chunk(&mut out, id, &[prefix, &orientation])?;
                }
            }
            _ => {}
        }
        first = false;
    }
    if !picture {
        return Err("contains no image");
    }
    if let Some((at, flags)) = extended {
        let kept = ICC_FLAG | ALPHA_FLAG | ANIMATION_FLAG | if oriented { EXIF_FLAG } else { 0 };
        out[at] = flags & kept;
    }
    let size = length(out.len() - 8)?;
    out[4..8].copy_from_slice(&size);
    Ok(out)
}

/// Writes an animation frame with its image data only.
fn write_frame(out: &mut Vec<u8>, header: &[u8], mut chunks: &[u8]) -> Result<(), Reason> {
    let start = out.len();
    write_chunk(out, *b"ANMF", &[header])?;
    let mut picture = false;
    while let Some((id, data)) = next_chunk(&mut chunks)? {
        if matches!(&id, b"ALPH" | b"VP8 " | b"VP8L") {
            picture |= id != *b"ALPH";
            write_chunk(out, id, &[data])?;
        }
    }
    if !picture {
        return Err("contains a frame without an image");
    }
    // Its chunks are padded to an even length, so the frame needs no padding.
    let size = length(out.len() - start - 8)?;
    out[start + 4..start + 8].copy_from_slice(&size);
    Ok(())
}

/// Name and contents of a chunk.
type Chunk<'a> = ([u8; 4], &'a [u8]);

/// Takes the next chunk off the list. Chunks of odd length are followed by a padding byte, which may be missing at the very end.
fn next_chunk<'a>(list: &mut &'a [u8]) -> Result<Option<Chunk<'a>>, Reason> {
    if list.is_empty() {
        return Ok(None);
    }
    let id = number(list, 0).ok_or(TRUNCATED)?;
    let size = usize::try_from(u32::from_le_bytes(number(list, 4).ok_or(TRUNCATED)?)).map_err(|_| TRUNCATED)?;
    let (data, rest) = list[8..].split_at_checked(size).ok_or(TRUNCATED)?;
    *list = rest.get(size % 2..).unwrap_or_default();
    Ok(Some((id, data)))
}

fn write_chunk(out: &mut Vec<u8>, id: [u8; 4], data: &[&[u8]]) -> Result<(), Reason> {
    let size = data.iter().map(|part| part.len()).sum::<usize>();
    out.extend(id);
    out.extend(length(size)?);
    data.iter().for_each(|part| out.extend_from_slice(part));
    if size % 2 == 1 {
        out.push(0);
    }
    Ok(())
}

fn length(bytes: usize) -> Result<[u8; 4], Reason> {
    u32::try_from(bytes).map(u32::to_le_bytes).map_err(|_| "exceeds the maximum size of a WebP file")
}
