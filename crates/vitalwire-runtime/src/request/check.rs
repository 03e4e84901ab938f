//! Client-side validation of arguments, before anything is sent.
//!
//! Checks apply the limits of the interface generously: nothing is rejected that a service could accept. Clients can disable them.

use super::content;
use crate::error::{Error, ErrorKind};
use crate::value::Base64;

/// Rejects infinity and NaN, which JSON cannot represent.
pub fn finite(argument: &'static str, value: &f64) -> Result<(), Error> {
    if value.is_finite() { Ok(()) } else { Err(Error::invalid_argument(argument, "must be a finite number")) }
}

pub fn at_least<T: PartialOrd>(argument: &'static str, value: &T, least: T, limits: bool) -> Result<(), Error> {
    if limits && *value < least { Err(Error::invalid_argument(argument, "must be at least the documented minimum")) } else { Ok(()) }
}

pub fn at_most<T: PartialOrd>(argument: &'static str, value: &T, most: T, limits: bool) -> Result<(), Error> {
    if limits && *value > most { Err(Error::invalid_argument(argument, "must be at most the documented maximum")) } else { Ok(()) }
}

pub fn min_items<T>(argument: &'static str, items: &[T], least: usize, limits: bool) -> Result<(), Error> {
    if limits && items.len() < least {
        Err(Error::invalid_argument(argument, "must have at least the documented number of items"))
    } else {
        Ok(())
    }
}

/// Rejects an empty file, and base64 text or a data URL in place of its bytes.
pub fn file(argument: &'static str, bytes: &Base64, limits: bool) -> Result<(), Error> {
    let reason = if bytes.as_bytes().is_empty() { Some(content::EMPTY_FILE) } else { content::detect_encoded_file(bytes.as_bytes()) };
    reject_if(argument, reason.filter(|_| limits))
}

/// Rejects a data URL or base64 text in place of a URL.
pub fn url(argument: &'static str, url: &str, limits: bool) -> Result<(), Error> {
    reject_if(argument, content::detect_encoded_file(url.as_bytes()).filter(|_| limits))
}

/// Rejects base64 text, and bytes of a file type that the service does not accept. A type that is not recognized is left to the service.
pub fn accepts(argument: &'static str, bytes: &Base64, media_types: &[&str], limits: bool) -> Result<(), Error> {
    let reason = match infer::get(bytes.as_bytes()) {
        Some(kind) if media_types.contains(&kind.mime_type()) => None,
        Some(_) => Some("must be a file of a type that the service accepts"),
        None => content::detect_base64_text(bytes.as_bytes()),
    };
    reject_if(argument, reason.filter(|_| limits))
}

fn reject_if(argument: &'static str, reason: Option<&'static str>) -> Result<(), Error> {
    reason.map_or(Ok(()), |reason| Err(Error::invalid_argument(argument, reason)))
}

/// Rejects a file that is larger than `most` bytes before encoding.
pub fn max_bytes(argument: &'static str, bytes: &Base64, most: usize, limits: bool) -> Result<(), Error> {
    if limits && bytes.as_bytes().len() > most {
        let error = Error::with_reason(ErrorKind::TooLarge, "the document exceeds the maximum size of the service");
        return Err(error.with_argument(argument));
    }
    Ok(())
}
