//! Pillow images, detected by duck typing, because Pillow is optional.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use vitalwire::upload::Upload;

use super::{invalid_body, shared_bytes, with_path_name};

/// Modes that JPEG supports. Others are encoded as PNG, which keeps transparency and palettes.
const JPEG_MODES: [&str; 4] = ["L", "RGB", "CMYK", "YCbCr"];
/// JPEG quality, out of 100. The loss is not visible.
const QUALITY: u8 = 95;
/// EXIF tag of the orientation.
const ORIENTATION: u16 = 0x0112;

/// Encodes an image in its original format if that supports the mode, otherwise as JPEG or PNG. Keeps only the orientation of its metadata.
pub(super) fn encode(image: &Bound<'_, PyAny>) -> PyResult<Upload> {
    let py = image.py();
    let own: Option<String> = image.getattr_opt("format")?.and_then(|format| format.extract().ok());
    let mode: String = image.getattr("mode")?.extract().map_err(|_| invalid_body("must be a Pillow image with a mode of type str"))?;
    let fits = JPEG_MODES.contains(&mode.as_str());
    let format = match own.as_deref() {
        Some("PNG") => "PNG",
        Some("WEBP") => "WEBP",
        _ if fits => "JPEG",
        _ => "PNG",
    };
    let options = PyDict::new(py);
    options.set_item("format", format)?;
    match (format, own.as_deref()) {
        ("PNG", _) => {}
        // Reusing the quantization tables avoids further loss.
        ("JPEG", Some("JPEG")) => options.set_item("quality", "keep")?,
        _ => options.set_item("quality", QUALITY)?,
    }
    if let Some(turned) = orientation(image)? {
        options.set_item("exif", turned)?;
    }
    let buffer = py.import("io")?.call_method0("BytesIO")?;
    image.call_method("save", (&buffer,), Some(&options))?;
    let bytes = buffer.call_method0("getvalue")?.cast_into::<PyBytes>()?;
    let name = image.getattr_opt("filename")?;
    let name = name.and_then(|name| name.cast::<PyString>().ok()?.to_str().ok().map(str::to_owned));
    Ok(with_path_name(Upload::bytes(shared_bytes(bytes)), name.as_deref()))
}

/// Returns EXIF data with only the orientation, if the image has one.
fn orientation<'py>(image: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(read) = image.getattr_opt("getexif")? else { return Ok(None) };
    let exif = read.call0()?;
    let turned = exif.call_method1("get", (ORIENTATION,))?.extract::<u16>().ok().filter(|turned| (2..=8).contains(turned));
    let Some(turned) = turned else { return Ok(None) };
    let only = exif.get_type().call0()?;
    only.set_item(ORIENTATION, turned)?;
    Ok(Some(only))
}
