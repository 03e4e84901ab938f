//! Extracts the text of a PDF file, page by page, without forms inside pages.
//!
//! Limited are the number of pages, fonts and pieces, the unpacked size of streams and the parsed size of object streams. The time limit
//! is checked between fonts and operations, but not while the library loads the file. These costs of loading remain:
//!
//! * Objects outside of streams are limited only by the size of the file: 7.5 MiB may become about 450 MiB.
//! * A table that names one large object many times takes long.
//! * An object stream with the length of another stream is parsed before [`objects::filter`] sees it.
//!
//! The caller then times out, while the thread continues and keeps its slot.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Encoding, LoadOptions, Object};

use super::layout::{self, Piece};
use super::objects::{self, MAX_UNPACKED};

const MAX_PAGES: usize = 40;
/// Maximum number of fonts of a page.
const MAX_FONTS: usize = 64;
/// Timeout for a file.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Reason why no text was extracted, for `parsing_error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PdfError {
    Encrypted,
    Corrupt,
    TooLarge,
}

impl PdfError {
    pub(super) const fn message(self) -> &'static str {
        match self {
            Self::Encrypted => "The PDF file is encrypted",
            Self::Corrupt => "The PDF file is corrupt",
            Self::TooLarge => "The PDF file takes too much time or memory to read",
        }
    }
}

/// Returns the lines of all pages. Empty if there are only pictures.
pub(super) fn extract_lines(bytes: &[u8]) -> Result<Vec<String>, PdfError> {
    // Checked before loading, because loading decrypts slowly and without the filter. The trailer is never compressed.
    if is_encrypted(bytes) {
        return Err(PdfError::Encrypted);
    }
    let deadline = Instant::now() + TIMEOUT;
    objects::reset_budget();
    let options = LoadOptions { max_decompressed_size: Some(MAX_UNPACKED), filter: Some(objects::filter), ..LoadOptions::default() };
    let document = Document::load_mem_with_options(bytes, options);
    if objects::is_budget_exceeded() {
        return Err(PdfError::TooLarge);
    }
    let document = document.map_err(|error| convert_error(&error))?;
    let pages: Vec<lopdf::ObjectId> = document.page_iter().take(MAX_PAGES).collect();
    if pages.is_empty() {
        return Err(PdfError::Corrupt);
    }
    let mut reader = PageReader { deadline, pieces_left: layout::MAX_PIECES };
    let mut lines = Vec::new();
    for page in pages {
        lines.extend(layout::group_lines(reader.read_page(&document, page)?));
    }
    // The library repairs a truncated file into empty pages.
    let whole = bytes.windows(9).any(|window| window == b"startxref");
    if lines.is_empty() && !whole { Err(PdfError::Corrupt) } else { Ok(lines) }
}

/// Whether the file contains the name `/Encrypt`. Its letters may be escaped as `#` and two hexadecimal digits.
fn is_encrypted(bytes: &[u8]) -> bool {
    let names = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &bytes[at + 1..]);
    names.into_iter().any(|mut rest| {
        b"Encrypt".iter().all(|letter| {
            let hex = [b'#', b"0123456789abcdef"[usize::from(letter >> 4)], b"0123456789abcdef"[usize::from(letter & 15)]];
            let length = match rest {
                [first, ..] if first == letter => 1,
                [a, b, c, ..] if [*a, *b, c.to_ascii_lowercase()] == hex => 3,
                _ => return false,
            };
            rest = &rest[length..];
            true
        })
    })
}

fn convert_error(error: &lopdf::Error) -> PdfError {
    match error {
        lopdf::Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. }) => PdfError::TooLarge,
        _ => PdfError::Corrupt,
    }
}

/// Extracts the text of pages within the limits of a file.
struct PageReader {
    deadline: Instant,
    pieces_left: usize,
}

impl PageReader {
    fn check_deadline(&self) -> Result<(), PdfError> {
        if Instant::now() > self.deadline { Err(PdfError::TooLarge) } else { Ok(()) }
    }

    fn read_page(&mut self, document: &Document, page: lopdf::ObjectId) -> Result<Vec<Piece>, PdfError> {
        let mut fonts: BTreeMap<Vec<u8>, Font<'_>> = BTreeMap::new();
        for (name, font) in document.get_page_fonts(page).map_err(|error| convert_error(&error))?.into_iter().take(MAX_FONTS) {
            self.check_deadline()?;
            if let Some(font) = Font::new(document, font) {
                fonts.insert(name, font);
            }
        }
        self.check_deadline()?;
        let content = document.get_page_content_with_limit(page, MAX_UNPACKED).map_err(|error| convert_error(&error))?;
        let mut state = TextState::default();
        let mut pieces = Vec::new();
        for (number, operation) in Content::decode_iter(&content).enumerate() {
            // If the end of a page is damaged, its beginning is still used.
            let Ok(operation) = operation else { break };
            if number % 1_024 == 0 {
                self.check_deadline()?;
            }
            let before = pieces.len();
            state.apply(&operation, &fonts, &mut pieces);
            self.pieces_left = self.pieces_left.checked_sub(pieces.len() - before).ok_or(PdfError::TooLarge)?;
        }
        Ok(pieces)
    }
}

/// Encoding and glyph widths of a font.
struct Font<'a> {
    encoding: Encoding<'a>,
    /// First character code and the widths from there on, in thousandths of the font size. Only for single-byte fonts.
    widths: Option<(usize, Vec<f32>)>,
}

impl<'a> Font<'a> {
    fn new(document: &'a Document, font: &'a Dictionary) -> Option<Self> {
        let encoding = font.get_font_encoding_with_limit(document, MAX_UNPACKED).ok()?;
        let first = font.get_deref(b"FirstChar", document).and_then(Object::as_i64).ok().and_then(|first| usize::try_from(first).ok());
        let widths = font.get_deref(b"Widths", document).and_then(Object::as_array).ok();
        let widths = widths.map(|widths| widths.iter().take(256).map(|width| to_f32(Some(width))).collect());
        Some(Self { encoding, widths: first.zip(widths) })
    }

    /// Returns the width of a text in units of the font size. Defaults to half the size per character.
    fn width(&self, bytes: &[u8], text: &str) -> f32 {
        match &self.widths {
            Some((first, widths)) => {
                let width = |byte: &u8| usize::from(*byte).checked_sub(*first).and_then(|at| widths.get(at)).copied().unwrap_or(500.0);
                bytes.iter().map(width).sum::<f32>() / 1_000.0
            }
            None => text.chars().count() as f32 * 0.5,
        }
    }
}

/// Text state of a page: font and position of the next text.
struct TextState {
    /// Current page matrix, and the saved ones.
    page: Matrix,
    saved: Vec<Matrix>,
    line: Matrix,
    text: Matrix,
    leading: f32,
    size: f32,
    font: Vec<u8>,
}

impl Default for TextState {
    fn default() -> Self {
        let page = Matrix::default();
        Self { page, saved: Vec::new(), line: page, text: page, leading: 0.0, size: 1.0, font: Vec::new() }
    }
}

impl TextState {
    fn apply(&mut self, operation: &Operation, fonts: &BTreeMap<Vec<u8>, Font<'_>>, pieces: &mut Vec<Piece>) {
        let operands = &operation.operands;
        let operand = |at: usize| to_f32(operands.get(at));
        match operation.operator.as_str() {
            "q" if self.saved.len() < 256 => self.saved.push(self.page),
            "Q" => self.page = self.saved.pop().unwrap_or(self.page),
            "cm" => self.page = Matrix::from_operands(operands).multiply(self.page),
            "BT" => self.set_matrix(Matrix::default()),
            "Tm" => self.set_matrix(Matrix::from_operands(operands)),
            "Td" => self.move_line(operand(0), operand(1)),
            "TD" => {
                self.leading = -operand(1);
                self.move_line(operand(0), operand(1));
            }
            "TL" => self.leading = operand(0),
            "T*" => self.move_line(0.0, -self.leading),
            "Tf" => {
                self.font = operands.first().and_then(|name| name.as_name().ok()).unwrap_or_default().to_vec();
                self.size = operand(1);
            }
            "Tj" => self.show_text(operands.first(), fonts, pieces),
            "'" => {
                self.move_line(0.0, -self.leading);
                self.show_text(operands.first(), fonts, pieces);
            }
            "\"" => {
                self.move_line(0.0, -self.leading);
                self.show_text(operands.get(2), fonts, pieces);
            }
            "TJ" => {
                for part in operands.first().and_then(|parts| parts.as_array().ok()).into_iter().flatten() {
                    match part {
                        Object::String(..) => self.show_text(Some(part), fonts, pieces),
                        // Adjustment to the left, in thousandths of the font size.
                        _ => self.text = self.text.translated(-to_f32(Some(part)) / 1_000.0 * self.size, 0.0),
                    }
                }
            }
            _ => {}
        }
    }

    fn set_matrix(&mut self, matrix: Matrix) {
        (self.line, self.text) = (matrix, matrix);
    }

    fn move_line(&mut self, x: f32, y: f32) {
        self.set_matrix(self.line.translated(x, y));
    }

    fn show_text(&mut self, text: Option<&Object>, fonts: &BTreeMap<Vec<u8>, Font<'_>>, pieces: &mut Vec<Piece>) {
        let (Some(Ok(bytes)), Some(font)) = (text.map(Object::as_str), fonts.get(&self.font)) else { return };
        let Ok(text) = Document::decode_text(&font.encoding, bytes) else { return };
        let width = font.width(bytes, &text) * self.size;
        let matrix = self.text.multiply(self.page);
        let piece = Piece { x: matrix.0[4], y: matrix.0[5], width: width * matrix.scale(0), size: self.size * matrix.scale(2), text };
        pieces.push(piece);
        self.text = self.text.translated(width, 0.0);
    }
}

/// Affine transformation in PDF order: a b c d e f.
#[derive(Clone, Copy)]
struct Matrix([f32; 6]);

impl Default for Matrix {
    fn default() -> Self {
        Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    }
}

impl Matrix {
    fn from_operands(operands: &[Object]) -> Self {
        Self(std::array::from_fn(|at| to_f32(operands.get(at))))
    }

    /// Returns this transformation followed by another.
    fn multiply(self, other: Self) -> Self {
        let ([a, b, c, d, e, f], [oa, ob, oc, od, oe, of]) = (self.0, other.0);
        Self([a * oa + b * oc, a * ob + b * od, c * oa + d * oc, c * ob + d * od, e * oa + f * oc + oe, e * ob + f * od + of])
    }

    /// Returns it translated within its own coordinate system.
    fn translated(self, x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y]).multiply(self)
    }

    /// Returns the scale of the first (0) or second (2) axis.
    fn scale(self, at: usize) -> f32 {
        self.0[at].hypot(self.0[at + 1])
    }
}

fn to_f32(object: Option<&Object>) -> f32 {
    match object {
        Some(Object::Integer(number)) => *number as f32,
        Some(Object::Real(number)) => *number,
        _ => 0.0,
    }
}
