//! Extracts the text of a PDF file, page by page.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use flate2::read::ZlibDecoder;
use hayro_interpret::font::{Glyph, GlyphRun};
use hayro_interpret::hayro_cmap::BfString;
use hayro_interpret::hayro_syntax::{LoadPdfError, Pdf};
use hayro_interpret::kurbo::{Affine, BezPath, Point, Rect};
use hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache, InterpreterSettings, SoftMask,
    interpret_page,
};

const MAX_PAGES: usize = 40;
/// Maximum number of pieces of text in a document, which are characters.
pub(super) const MAX_PIECES: usize = 200_000;
/// Maximum unpacked size of all streams of a file, in bytes. The library has no limit. A scanned page needs about 25 MiB.
const MAX_UNPACKED: u64 = 128 * 1_048_576;
/// Timeout for a file, checked before each page and whenever a page draws something.
const TIMEOUT: Duration = Duration::from_secs(5);

// Reasons why no text was extracted, for `parsing_error`.
const ENCRYPTED: &str = "The PDF file is encrypted";
const CORRUPT: &str = "The PDF file is corrupt";
const TOO_LARGE: &str = "The PDF file takes too much time or memory to read";

/// Returns the lines of all pages. Empty if there are only pictures.
pub(super) fn extract_lines(bytes: &[u8]) -> Result<Vec<String>, &'static str> {
    let deadline = Instant::now() + TIMEOUT;
    if unpacked_size(bytes) > MAX_UNPACKED {
        return Err(TOO_LARGE);
    }
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => ENCRYPTED,
        LoadPdfError::Invalid => CORRUPT,
    })?;
    let mut lines = Vec::new();
    let mut pieces_left = MAX_PIECES;
    for page in pdf.pages().iter().take(MAX_PAGES) {
        if Instant::now() > deadline {
            return Err(TOO_LARGE);
        }
        let (cache, area) = (InterpreterCache::new(), Rect::new(0.0, 0.0, 1.0, 1.0));
        let mut context = Context::new(Affine::IDENTITY, area, &cache, pdf.xref(), InterpreterSettings::default());
        let mut text = TextDevice { pieces: Vec::new(), pieces_left, deadline };
        // The library has no way to stop early, and its state is not used afterwards.
        let whole = catch_unwind(AssertUnwindSafe(|| interpret_page(page, &mut context, &mut text)));
        whole.map_err(|_| TOO_LARGE)?;
        pieces_left = text.pieces_left;
        lines.extend(group_lines(text.pieces));
    }
    // The library repairs a truncated file into empty pages.
    let whole = bytes.windows(9).any(|window| window == b"startxref");
    if lines.is_empty() && !whole { Err(CORRUPT) } else { Ok(lines) }
}

/// Returns the unpacked size of all compressed streams, or more than the maximum as soon as that is exceeded.
fn unpacked_size(bytes: &[u8]) -> u64 {
    let mut size = 0;
    let starts = bytes.windows(7).enumerate().filter(|(_, window)| *window == b"stream\n" || *window == b"stream\r");
    for (at, _) in starts {
        let data = bytes[at + 7..].strip_prefix(b"\n").unwrap_or(&bytes[at + 7..]);
        size += io::copy(&mut ZlibDecoder::new(data).take(MAX_UNPACKED + 1 - size), &mut io::sink()).unwrap_or_default();
        if size > MAX_UNPACKED {
            break;
        }
    }
    size
}

/// Collects the text that a page draws.
struct TextDevice {
    pieces: Vec<Piece>,
    pieces_left: usize,
    deadline: Instant,
}

impl TextDevice {
    /// Ends the interpretation of a page that draws too much or for too long. A form of a page may draw another one many times.
    fn check(&self, pieces: usize) {
        if pieces > self.pieces_left || Instant::now() > self.deadline {
            resume_unwind(Box::new(TOO_LARGE));
        }
    }
}

impl Device<'_> for TextDevice {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, '_>, props: DrawProps<'_>, _: &DrawMode) {
        self.check(run.glyphs().len());
        self.pieces_left -= run.glyphs().len();
        for glyph in run.glyphs() {
            let text = match glyph.as_unicode() {
                Some(BfString::Char(char)) => char.to_string(),
                Some(BfString::String(text)) => text,
                None => continue,
            };
            // In units of a thousandth of the font size.
            let transform = props.transform * glyph.transform();
            let advance = match &**glyph {
                Glyph::Outline(glyph) => glyph.advance_width(),
                Glyph::Type3(glyph) => glyph.advance_width(),
            };
            let (start, end) = (transform * Point::ORIGIN, transform * Point::new(f64::from(advance.unwrap_or(500.0)), 0.0));
            let size = (transform * Point::new(0.0, 1_000.0) - start).hypot();
            self.pieces.push(Piece { x: start.x, y: start.y, width: end.x - start.x, size, text });
        }
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'_>, _: &DrawMode) {
        self.check(0);
    }

    fn push_clip_path(&mut self, _: &ClipPath) {
        self.check(0);
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'_>>, _: BlendMode) {
        self.check(0);
    }

    fn draw_image(&mut self, _: Image<'_, '_>, _: ImageDrawProps<'_>) {
        self.check(0);
    }

    fn pop_clip(&mut self) {
        self.check(0);
    }

    fn pop_transparency_group(&mut self) {
        self.check(0);
    }
}

/// A piece of text and its position on a page, in points from the lower left.
#[derive(Clone, Debug, PartialEq)]
struct Piece {
    x: f64,
    y: f64,
    width: f64,
    size: f64,
    text: String,
}

/// Returns the lines of a page, from top to bottom. Pieces less than half their height apart belong to the same line.
fn group_lines(mut pieces: Vec<Piece>) -> Vec<String> {
    pieces.retain(|piece| !piece.text.is_empty() && piece.x.is_finite() && piece.y.is_finite());
    pieces.sort_by(|one, other| other.y.total_cmp(&one.y));
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.first().is_some_and(|first| first.y - piece.y < first.size.max(1.0) / 2.0) => line.push(piece),
            _ => lines.push(vec![piece]),
        }
    }
    lines.into_iter().map(join_pieces).collect()
}

/// Joins the pieces of a line from left to right, with a space at each gap.
fn join_pieces(mut line: Vec<Piece>) -> String {
    line.sort_by(|one, other| one.x.total_cmp(&other.x));
    let mut text = String::new();
    let mut end = f64::NEG_INFINITY;
    for piece in line {
        let gap = piece.x - end;
        if gap > piece.size * 0.15 && !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(&piece.text);
        end = piece.x + piece.width;
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_row_become_a_line() {
        let piece = |x: f64, y: f64, text: &str| Piece { x, y, width: text.len() as f64 * 5.0, size: 10.0, text: text.to_owned() };
        // Drawn column by column, with one piece slightly lower and one word in two pieces.
        let pieces = vec![
            piece(50.0, 700.0, "WBC"),
            piece(50.0, 680.0, "Hemo"),
            piece(70.5, 680.0, "globin"),
            piece(200.0, 700.0, "7.2"),
            piece(200.0, 678.0, "13.5"),
            piece(300.0, 700.0, "K/uL"),
            piece(f64::NAN, 0.0, "nowhere"),
        ];
        assert_eq!(group_lines(pieces), ["WBC 7.2 K/uL", "Hemoglobin 13.5"]);
    }
}
