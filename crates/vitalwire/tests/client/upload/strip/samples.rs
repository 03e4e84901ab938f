//! Files to strip. All private data contain `CANARY`.

use exif::experimental::Writer;
use exif::{Field, In, Rational, Tag, Value};
use image_webp::WebPEncoder;
use img_parts::Bytes;
use img_parts::png::{Png, PngChunk};
use img_parts::riff::{RiffChunk, RiffContent};
use img_parts::webp::WebP;

pub(crate) const PROFILE: &[u8] = b"a profile of colours";
pub(crate) const XMP: &[u8] = b"<x:xmpmeta exif:GPSLatitude='52,31N'>CANARY</x:xmpmeta>";
const WIDTH: u32 = 49;
const HEIGHT: u32 = 35;

/// Red, green, blue and opacity of all pixels. All columns differ, so that a wrong orientation or a lost row is visible.
fn rgba() -> Vec<u8> {
    let byte = |value: u32| u8::try_from(value % 256).unwrap();
    let positions = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    positions.flat_map(|(x, y)| [byte(x * 5), byte(y * 7), byte(x * y), byte(255 - x)]).collect()
}

fn rgb() -> Vec<u8> {
    rgba().chunks(4).flat_map(|pixel| pixel[..3].to_vec()).collect()
}

fn encode(encoder: jpeg_encoder::Encoder<&mut Vec<u8>>) {
    encoder.encode(&rgb(), WIDTH.try_into().unwrap(), HEIGHT.try_into().unwrap(), jpeg_encoder::ColorType::Rgb).unwrap();
}

/// EXIF with a maker, a place, a thumbnail and, if given, the orientation.
pub(crate) fn exif(orientation: Option<u16>, little: bool) -> Vec<u8> {
    let text = |text: &str| Value::Ascii(vec![text.as_bytes().to_vec()]);
    let degrees = [52, 31, 12].map(|num| Rational { num, denom: 1 }).to_vec();
    let mut fields = vec![(Tag::Make, text("CANARY-maker")), (Tag::Software, text("CANARY-software"))];
    fields.extend(orientation.map(|value| (Tag::Orientation, Value::Short(vec![value]))));
    fields.extend([(Tag::DateTimeOriginal, text("2025:01:31 06:30:00")), (Tag::GPSLatitudeRef, text("N"))]);
    fields.extend([(Tag::GPSLatitude, Value::Rational(degrees)), (Tag::GPSAreaInformation, text("CANARY-place"))]);
    let fields: Vec<Field> = fields.into_iter().map(|(tag, value)| Field { tag, ifd_num: In::PRIMARY, value }).collect();
    let mut writer = Writer::new();
    fields.iter().for_each(|field| writer.push_field(field));
    writer.set_jpeg(b"CANARY-thumbnail", In::THUMBNAIL);
    let mut data = std::io::Cursor::new(Vec::new());
    writer.write(&mut data, little).unwrap();
    data.into_inner()
}

/// A JPEG with the metadata of a phone and two editors. A `progressive` one has several scans.
pub(crate) fn jpeg(orientation: Option<u16>, progressive: bool) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 80);
    encoder.set_progressive(progressive);
    encoder.set_restart_interval(3);
    encoder.add_exif_metadata(&exif(orientation, true)).unwrap();
    encoder.add_icc_profile(PROFILE).unwrap();
    encoder.add_app_segment(1, [b"http://ns.adobe.com/xap/1.0/\0", XMP].concat()).unwrap();
    encoder.add_app_segment(2, b"MPF\0MM\0*CANARY".to_vec()).unwrap();
    encoder.add_app_segment(11, b"JP\0CANARY-jumbf".to_vec()).unwrap();
    encoder.add_app_segment(13, b"Photoshop 3.0\08BIM\x04\x04CANARY".to_vec()).unwrap();
    encode(encoder);
    // A comment before each scan, in a progressive file also between coded data.
    let comment = b"\xff\xfe\x00\x10CANARY-comment";
    let mut with_comments = Vec::new();
    for (index, byte) in file.iter().enumerate() {
        if file[index..].starts_with(b"\xff\xda") {
            with_comments.extend(comment);
        }
        with_comments.push(*byte);
    }
    // A second picture after the end, as in multi-picture files, and then a text.
    with_comments.extend(plain_jpeg(&exif(Some(8), false)));
    with_comments.extend(b"CANARY-trailer");
    with_comments
}

/// A baseline JFIF with one scan.
pub(crate) fn plain_jpeg(exif: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 70);
    if !exif.is_empty() {
        encoder.add_exif_metadata(exif).unwrap();
    }
    encode(encoder);
    file
}

pub(crate) fn png(orientation: Option<u16>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut info = png::Info::with_size(WIDTH, HEIGHT);
    (info.color_type, info.bit_depth, info.icc_profile) = (png::ColorType::Rgba, png::BitDepth::Eight, Some(PROFILE.into()));
    png::Encoder::with_info(&mut file, info).unwrap().write_header().unwrap().write_image_data(&rgba()).unwrap();
    let mut png = Png::from_bytes(Bytes::from(file)).unwrap();
    let mut chunks = vec![png.chunks()[0].clone()];
    let mut add = |kind: &[u8; 4], data: &[u8]| chunks.push(PngChunk::new(*kind, Bytes::copy_from_slice(data)));
    add(b"pHYs", &[0, 0, 11, 19, 0, 0, 11, 19, 1]);
    add(b"gAMA", &[0, 0, 177, 143]);
    add(b"tIME", &[7, 233, 1, 31, 6, 30, 0]);
    add(b"tEXt", b"Author\0CANARY");
    add(b"zTXt", b"Comment\0\0CANARY");
    add(b"iTXt", &[b"XML:com.adobe.xmp\0\0\0\0\0", XMP].concat());
    add(b"prVt", b"CANARY-editor");
    add(b"eXIf", &exif(orientation, false));
    chunks.extend(png.chunks()[1..].iter().cloned());
    chunks.insert(chunks.len() - 1, PngChunk::new(*b"caBX", Bytes::from_static(b"CANARY-provenance")));
    *png.chunks_mut() = chunks;
    [&png.encoder().bytes()[..], b"CANARY-trailer"].concat()
}

/// A lossless extended WebP.
pub(crate) fn webp(orientation: Option<u16>) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = WebPEncoder::new(&mut file);
    encoder.set_icc_profile(PROFILE.to_vec());
    encoder.set_exif_metadata(exif(orientation, true));
    encoder.encode(&rgba(), WIDTH, HEIGHT, image_webp::ColorType::Rgba8).unwrap();
    let mut webp = WebP::from_bytes(Bytes::from(file)).unwrap();
    for chunk in webp.chunks_mut() {
        if let (b"VP8X", RiffContent::Data(data)) = (&chunk.id(), chunk.content_mut()) {
            let mut flags = data.to_vec();
            flags[0] |= 0x04;
            *data = Bytes::from(flags);
        }
    }
    for (id, data) in [(b"XMP ", XMP), (b"CANA", b"CANARY-odd-")] {
        webp.chunks_mut().push(RiffChunk::new(*id, RiffContent::Data(Bytes::from_static(data))));
    }
    [&webp.encoder().bytes()[..], b"CANARY-trailer"].concat()
}

/// Made by Pillow 12 with XMP and EXIF (a place and the orientation 6, and 1 and 3 in the next two). The last file has no metadata.
pub(crate) const LOSSY: &[u8] = include_bytes!("pictures/lossy.webp");
pub(crate) const LOSSY_ALPHA: &[u8] = include_bytes!("pictures/lossy_alpha.webp");
pub(crate) const ANIMATED: &[u8] = include_bytes!("pictures/animated.webp");
pub(crate) const PLAIN: &[u8] = include_bytes!("pictures/plain.webp");

/// A sample of each kind, most with their own orientation.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("baseline jpeg", jpeg(Some(6), false)),
        ("progressive jpeg", jpeg(Some(3), true)),
        ("jfif", plain_jpeg(&exif(Some(8), false))),
        ("png", png(Some(5))),
        ("lossless webp", webp(Some(7))),
        ("lossy webp", LOSSY.to_vec()),
        ("lossy webp with transparency", LOSSY_ALPHA.to_vec()),
        ("animated webp", ANIMATED.to_vec()),
        ("plain webp", PLAIN.to_vec()),
    ]
}
