//! PNG (third edition): chunks with checksums, from `IHDR` through `IDAT` to `IEND`.

use bytes::Bytes;
use img_parts::Error;
use img_parts::png::PngChunk;

use super::{Reason, TRUNCATED, exif};

const SIGNATURE: usize = 8;
/// Bytes of width, height, bit depth, colour type and three methods.
const HEADER: usize = 13;

pub(super) fn strip(file: &Bytes) -> Result<Vec<u8>, Reason> {
    let mut out = Vec::with_capacity(file.len());
    let mut rest = file.clone();
    out.extend(rest.split_to(SIGNATURE.min(rest.len())));
    let (mut first, mut data) = (true, DataPosition::Before);
    loop {
        let start = file.len() - rest.len();
        let chunk = PngChunk::from_bytes(&mut rest).map_err(|error| match error {
            Error::BadCRC => "is damaged: a checksum does not match",
            _ => TRUNCATED,
        })?;
        let kind = chunk.kind();
        if first != (kind == *b"IHDR") || first && chunk.contents().len() != HEADER {
            return Err("must begin with exactly one header");
        }
        first = false;
        data = data.next(kind)?;
        match &kind {
            b"IEND" if data == DataPosition::Before => return Err("contains no image"),
            b"IEND" if !chunk.contents().is_empty() => return Err("has data in its end chunk"),
            b"eXIf" => {
                if let Some((prefix, orientation)) = exif::orientation_only(chunk.contents()) {
                    out.extend(PngChunk::new(kind, [prefix, &orientation].concat().into()).encoder().bytes());
                }
            }
            _ if is_kept(kind) => out.extend_from_slice(&file[start..file.len() - rest.len()]),
            // Readers reject unknown chunks that are marked as critical.
            _ if kind[0].is_ascii_uppercase() => return Err("has an unknown critical chunk"),
            _ => {}
        }
        if kind == *b"IEND" {
            return Ok(out);
        }
    }
}

/// Whether to keep a chunk: image data, colours, transparency, proportions and animation frames.
fn is_kept(kind: [u8; 4]) -> bool {
    const KEPT: [&[u8; 4]; 22] = [
        b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV", b"mDCv", b"cLLI",
        b"cLLi", b"bKGD", b"hIST", b"pHYs", b"sTER", b"acTL", b"fcTL", b"fdAT",
    ];
    KEPT.contains(&&kind)
}

/// Position relative to the `IDAT` chunks, which must be consecutive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DataPosition {
    Before,
    Inside,
    After,
}

impl DataPosition {
    fn next(self, kind: [u8; 4]) -> Result<Self, Reason> {
        match (self, kind == *b"IDAT") {
            (Self::Before, false) => Ok(Self::Before),
            (Self::Before | Self::Inside, true) => Ok(Self::Inside),
            (Self::Inside | Self::After, false) => Ok(Self::After),
            (Self::After, true) => Err("has image data in two places"),
        }
    }
}
