//! A synthetic picture of a meal, drawn by code. It shows no real meal and has no location data.

use anstyle::{Ansi256Color, Color, Style};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

/// Width and height in pixels. The interface advises against smaller pictures.
pub(crate) const SIDE: u32 = 512;
/// Width and height of a square of one colour, in pixels. Large squares make a small file.
const SQUARE: i32 = 4;
/// File name of the picture.
pub(crate) const NAME: &str = "lunch.png";

/// Colours of table, plate, rim of the plate, pasta, sauce and basil.
const PALETTE: [[u8; 3]; 6] = [[122, 84, 54], [244, 241, 234], [214, 208, 196], [240, 205, 110], [196, 52, 38], [64, 128, 58]];

/// The palette for terminals with 256 colours.
const TERMINAL: [u8; 6] = [94, 255, 250, 221, 160, 65];

/// Discs from bottom to top: x, y, radius, colour.
const DISCS: [(i32, i32, i32, u8); 13] = [
    (256, 256, 224, 2),
    (256, 256, 208, 1),
    (256, 256, 158, 2),
    (256, 256, 154, 1),
    (240, 262, 118, 3),
    (300, 240, 92, 3),
    (250, 318, 70, 3),
    (262, 246, 72, 4),
    (226, 276, 44, 4),
    (308, 270, 38, 4),
    (252, 226, 15, 5),
    (276, 234, 13, 5),
    (262, 248, 11, 5),
];

/// A comment in the file. The sandbox recognizes the dish by the colour in the middle of the picture, and a portion by the file's checksum.
const COMMENT: &str = "Synthetic, drawn by code.";

/// Returns the palette index of a pixel.
fn pixel(x: i32, y: i32) -> u8 {
    let (x, y) = (x - x % SQUARE, y - y % SQUARE);
    let inside = |(left, top, radius, _): &&(i32, i32, i32, u8)| (x - left).pow(2) + (y - top).pow(2) < radius.pow(2);
    DISCS.iter().rev().find(inside).map_or(0, |(.., color)| *color)
}

pub(crate) fn png() -> Result<Vec<u8>, EncodingError> {
    let side = SIDE.cast_signed();
    let pixels: Vec<u8> = (0..side).flat_map(|y| (0..side).map(move |x| pixel(x, y))).collect();
    // Four bits per pixel, the left pixel first.
    let packed: Vec<u8> = pixels.chunks(2).map(|pair| pair.iter().fold(0, |byte, color| byte << 4 | color)).collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, SIDE, SIDE);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Four);
    encoder.set_palette(PALETTE.concat());
    encoder.set_compression(Compression::High);
    // Most lines equal the line above.
    encoder.set_filter(Filter::Up);
    encoder.add_text_chunk("Comment".to_owned(), COMMENT.to_owned())?;
    encoder.write_header()?.write_image_data(&packed)?;
    Ok(file)
}

/// Draws the picture for a terminal with `columns` columns and half as many lines. Each character shows two squares, one above the other.
pub(crate) fn preview(columns: i32) -> Vec<String> {
    let color = |column: i32, row: i32| {
        let middle = |at: i32| (2 * at + 1) * SIDE.cast_signed() / (2 * columns);
        let place = usize::from(pixel(middle(column), middle(row)));
        Some(Color::Ansi256(Ansi256Color(TERMINAL.get(place).copied().unwrap_or_default())))
    };
    let cell = |column, line| {
        let style = Style::new().fg_color(color(column, 2 * line)).bg_color(color(column, 2 * line + 1));
        format!("{style}▀{style:#}")
    };
    (0..columns / 2).map(|line| (0..columns).map(|column| cell(column, line)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_a_small_valid_png() {
        let file = png().expect("it is drawn");
        assert!(file.len() < 4_096, "{} bytes", file.len());
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("small")];
        let frame = reader.next_frame(&mut pixels).expect("a frame");
        assert_eq!((frame.width, frame.height), (512, 512));
        // The table in the corner, the sauce in the middle (two pixels per byte).
        assert_eq!(pixels[0], 0x00);
        assert_eq!(pixels[256 * 256 + 250 / 2], 0x44);
    }

    #[test]
    fn the_preview_is_the_same_picture() {
        let lines = preview(16);
        assert_eq!(lines.len(), 8);
        // The corners show only the table.
        let table = "\u{1b}[38;5;94m\u{1b}[48;5;94m▀\u{1b}[0m";
        assert!(lines[0].starts_with(table) && lines[7].ends_with(table), "{:?}", lines[0]);
        assert!(lines.iter().all(|line| line.matches('▀').count() == 16));
    }
}
