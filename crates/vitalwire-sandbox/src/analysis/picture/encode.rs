//! Encodes test pictures that are drawn by a function.

use image_webp::WebPEncoder;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    Jpeg,
    Png,
    WebP,
}

pub(crate) const FORMATS: [Format; 3] = [Format::Jpeg, Format::Png, Format::WebP];

/// Returns a file of this width and height. `draw` returns the colour of the pixel at a column and row.
pub(crate) fn file(format: Format, (width, height): (u32, u32), draw: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let pixels: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| draw(x, y)).collect();
    let mut file = Vec::new();
    match format {
        Format::Jpeg => {
            let side = |side: u32| u16::try_from(side).unwrap();
            // From quality 90 on, chroma is not subsampled.
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
