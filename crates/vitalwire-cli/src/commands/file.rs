//! Files to upload: reading them and checking their format.

use std::io;
use std::path::Path;

use vitalwire::client::CallOptions;
use vitalwire::operations::NutritionRecordsUploadParams;
use vitalwire::upload::{Document, Image, Upload};
use vitalwire::{Error, ErrorKind};

use super::confirm::{can_prompt, prompt};
use super::session::Session;
use crate::failure::Failure;
use crate::render::style::clean;

/// File name that means stdin.
const STDIN: &str = "-";

/// A file format that is usually sent, recognized by its first bytes.
pub(super) struct UploadFormats {
    media_types: &'static [&'static str],
    /// The message for a file of any other format.
    mismatch: &'static str,
}

/// Pictures of food. The interface lists these formats.
pub(super) const PICTURE: UploadFormats = UploadFormats {
    media_types: NutritionRecordsUploadParams::BODY_MEDIA_TYPES,
    mismatch: "the file does not begin like a JPEG, PNG or WebP",
};

/// Laboratory documents. The interface lists no formats, so no client rejects others; these are known to be readable.
pub(super) const DOCUMENT: UploadFormats = UploadFormats {
    media_types: &["application/pdf", "image/jpeg", "image/png"],
    mismatch: "the file does not begin like a PDF, JPEG or PNG",
};

impl UploadFormats {
    /// Returns the call options for a file of this media type. A file of another format may be a private file, chosen by mistake. Unless
    /// any format is allowed, prompts on the terminal. Without a terminal, fails and names the option that sends the file.
    pub(super) async fn call_options(
        &self,
        session: &Session,
        path: &Path,
        media_type: Option<&str>,
        any: bool,
    ) -> Result<CallOptions, Failure> {
        if media_type.is_some_and(|media_type| self.media_types.contains(&media_type)) {
            return Ok(CallOptions::new());
        }
        let reject = |hint| Err(Failure::Upload(Error::invalid_argument("path", self.mismatch), display_path(path), Some(hint)));
        if !any {
            if !can_prompt() {
                return reject("nothing was sent; --any-format sends the file anyway");
            }
            if !prompt(session, format!("{}: {}. Send it anyway?", clean(&display_path(path)), self.mismatch)).await? {
                return reject("nothing was sent");
            }
        }
        // The client would reject an unusual format; let the service decide.
        Ok(CallOptions::new().local_checks(false))
    }
}

/// Reads a picture from a file or stdin. Rejects Base64 text and data URLs, unless any format is allowed.
pub(super) async fn picture(session: &Session, path: &str, any: bool) -> Result<Image, Failure> {
    if path == STDIN {
        return read_stdin(session, move || check(Image::from_reader(io::stdin())?, Image::checked, any)).await;
    }
    session.destination.reject_input(Path::new(path))?;
    let picture = session.cancel_token.unless_cancelled(Image::from_path(path)).await.ok_or_else(Error::cancelled)?;
    picture.and_then(|image| check(image, Image::checked, any)).map_err(|error| file_failure(error, Path::new(path)))
}

/// Reads a document from a file, or from stdin under this name, and checks it like a picture.
pub(super) async fn document(session: &Session, path: &Path, name: Option<String>, any: bool) -> Result<Document, Failure> {
    if path.as_os_str() != STDIN {
        session.destination.reject_input(path)?;
        let document = session.cancel_token.unless_cancelled(Document::from_path(path)).await.ok_or_else(Error::cancelled)?;
        let document = document.and_then(|document| check(document, Document::checked, any)).map_err(|error| file_failure(error, path))?;
        return Ok(match name {
            Some(name) => document.with_filename(name),
            None => document,
        });
    }
    let name = name.ok_or(Failure::Usage("a document from stdin needs a file name", "set it with --name NAME"))?;
    read_stdin(session, move || check(Document::from_reader(io::stdin(), name)?, Document::checked, any)).await
}

/// Creates a failure that names the file. A text that is not a path is not quoted, because it may be the content of a file.
fn file_failure(error: Error, path: &Path) -> Failure {
    let error = error.with_argument("path");
    let is_path = std::error::Error::source(&error).is_some() || path.exists();
    if is_path { Failure::Upload(error, display_path(path), None) } else { error.into() }
}

/// Returns the path of a file, or `stdin`, for error messages: at most 100 characters.
fn display_path(path: &Path) -> String {
    Upload::path(path).quotable_path().filter(|path| path != STDIN).unwrap_or_else(|| "stdin".to_owned())
}

fn check<T>(file: T, check_format: impl FnOnce(T) -> Result<T, Error>, any: bool) -> Result<T, Error> {
    if any { Ok(file) } else { check_format(file) }
}

/// Reads stdin on a separate thread, so that Ctrl-C takes effect at once.
async fn read_stdin<T: Send + 'static>(session: &Session, read: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Failure> {
    let read = session.cancel_token.unless_cancelled(tokio::task::spawn_blocking(read)).await.ok_or_else(Error::cancelled)?;
    Ok(read.unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal))).map_err(|error| error.with_argument("stdin"))?)
}
