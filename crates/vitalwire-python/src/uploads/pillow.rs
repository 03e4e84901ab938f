//! Images of Pillow, which this library does not need: they are known by what they can do.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use vitalwire::upload::Upload;

use super::{named, shared, wrong};

/// The kinds of pixels that a JPEG can have; others become PNG, which keeps transparency and palettes.
const JPEG_MODES: [&str; 4] = ["L", "RGB", "CMYK", "YCbCr"];
/// The quality of what is encoded anew, of 100: no difference can be seen.
const QUALITY: u8 = 95;
/// The tag of EXIF that says how a picture is to be turned.
const ORIENTATION: u16 = 0x0112;

/// An image in the format that it was read from, as far as that can hold it, otherwise as JPEG or PNG. Of its metadata only how it
/// is to be turned goes along.
pub(super) fn encode(image: &Bound<'_, PyAny>) -> PyResult<Upload> {
    let py = image.py();
    let own: Option<String> = image.getattr_opt("format")?.and_then(|format| format.extract().ok());
    let mode: String = image.getattr("mode")?.extract().map_err(|_| wrong("a Pillow image has a mode that is text"))?;
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
        // The tables that it was compressed with: nothing is lost a second time.
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
    Ok(named(Upload::bytes(shared(bytes)), name.as_deref()))
}

/// EXIF data that says no more than how the image is to be turned, if it is.
fn orientation<'py>(image: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(read) = image.getattr_opt("getexif")? else { return Ok(None) };
    let exif = read.call0()?;
    let turned = exif.call_method1("get", (ORIENTATION,))?.extract::<u16>().ok().filter(|turned| (2..=8).contains(turned));
    let Some(turned) = turned else { return Ok(None) };
    let only = exif.get_type().call0()?;
    only.set_item(ORIENTATION, turned)?;
    Ok(Some(only))
}
