//! Files for tests, of pictures that a function draws.

use image_webp::WebPEncoder;

/// Formats to write.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    Jpeg,
    Png,
    WebP,
}

pub(crate) const FORMATS: [Format; 3] = [Format::Jpeg, Format::Png, Format::WebP];

/// A file of this many columns and rows, each pixel of which has the colour drawn for its column and row.
pub(crate) fn file(format: Format, (width, height): (u32, u32), draw: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let pixels: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| draw(x, y)).collect();
    let mut file = Vec::new();
    match format {
        Format::Jpeg => {
            let side = |side: u32| u16::try_from(side).unwrap();
            // From 90 on, colours have as many samples as brightness.
            let encoder = jpeg_encoder::Encoder::new(&mut file, 90);
            encoder.encode(&pixels, side(width), side(height), jpeg_encoder::ColorType::Rgb).unwrap();
        }
        Format::Png => {
            let mut encoder = png::Encoder::new(&mut file, width, height);
            encoder.set_color(png::ColorType::Rgb);
            encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        }
        Format::WebP => WebPEncoder::new(&mut file).encode(&pixels, width, height, image_webp::ColorType::Rgb8).unwrap(),
    }
    file
}
