//! Files to upload: reading them and checking their format.

use std::io;
use std::path::Path;

use vitalwire::client::{CallOptions, Operation};
use vitalwire::operations::{LabReportsUploadParams, NutritionRecordsUploadParams};
use vitalwire::upload::{Document, Image, Upload};
use vitalwire::{Error, ErrorKind};

use super::confirm::{can_prompt, prompt};
use super::session::Session;
use crate::failure::{Failure, unread_file, while_waiting};
use crate::render::style::clean;

/// File name that means stdin.
const STDIN: &str = "-";

/// A file format that is usually sent, recognized by its first bytes.
struct UploadFormats {
    media_types: &'static [&'static str],
    /// The message for a file of any other format.
    mismatch: &'static str,
}

/// Pictures of food. The interface lists these formats.
const PICTURE: UploadFormats = UploadFormats {
    media_types: NutritionRecordsUploadParams::BODY_MEDIA_TYPES,
    mismatch: "the file does not begin like a JPEG, PNG or WebP",
};

/// Laboratory documents. The interface lists no formats, so no client rejects others; these are known to be readable.
const DOCUMENT: UploadFormats = UploadFormats {
    media_types: &["application/pdf", "image/jpeg", "image/png"],
    mismatch: "the file does not begin like a PDF, JPEG or PNG",
};

impl UploadFormats {
    /// Returns the call options for a file of this media type, from those for reading it. A file of another format may be a private file, chosen by mistake. Unless
    /// any format is allowed, prompts on the terminal. Without a terminal, fails and names the option that sends the file.
    async fn call_options(
        &self,
        session: &Session,
        path: &Path,
        media_type: Option<&str>,
        any: bool,
        options: CallOptions,
    ) -> Result<CallOptions, Failure> {
        if media_type.is_some_and(|media_type| self.media_types.contains(&media_type)) {
            return Ok(options);
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
        Ok(options.client_side_validation(false))
    }
}

/// Reads a picture from a file or stdin. Rejects Base64 text and data URLs, unless any format is allowed. Returns the options of the call.
pub(super) async fn picture(session: &Session, path: &Path, any: bool) -> Result<(Image, CallOptions), Failure> {
    let read_path = Upload::path(path).into_image();
    let read_stdin = move || check(Image::from_reader(io::stdin())?, Image::checked, any);
    let (image, options) = read::<NutritionRecordsUploadParams, _>(session, path, read_path, read_stdin).await?;
    let image = check(image, Image::checked, any).map_err(|error| file_failure(error, path))?;
    let options = PICTURE.call_options(session, path, image.media_type(), any, options).await?;
    Ok((image, options))
}

/// Reads a document from a file, or from stdin under this name, and checks it like a picture. Returns the options of the call.
pub(super) async fn document(session: &Session, path: &Path, name: Option<String>, any: bool) -> Result<(Document, CallOptions), Failure> {
    let file = Upload::path(path);
    let own_name = if is_stdin(path) { None } else { file.filename().map(str::to_owned) };
    let name = match name.or(own_name) {
        Some(name) => name,
        // Reading it fails.
        None if path.is_dir() => String::new(),
        None => return Err(Failure::Usage("the document needs a file name", "set it with --name NAME")),
    };
    let read_path = file.with_filename(&name).into_document();
    let read_stdin = move || check(Document::from_reader(io::stdin(), name)?, Document::checked, any);
    let (document, options) = read::<LabReportsUploadParams, _>(session, path, read_path, read_stdin).await?;
    let document = check(document, Document::checked, any).map_err(|error| file_failure(error, path))?;
    let options = DOCUMENT.call_options(session, path, document.media_type(), any, options).await?;
    Ok((document, options))
}

/// Reads stdin, or a file within the timeout of its call. Reads stdin on a separate thread, so that Ctrl-C takes effect at once.
async fn read<O: Operation, T: Send + 'static>(
    session: &Session,
    path: &Path,
    read_path: impl Future<Output = Result<T, Error>>,
    read_stdin: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<(T, CallOptions), Failure> {
    if is_stdin(path) {
        let read = session.cancel_token.unless_cancelled(tokio::task::spawn_blocking(read_stdin)).await.ok_or_else(Error::cancelled)?;
        let read = read.unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal)));
        return Ok((read.map_err(|error| error.with_argument("stdin"))?, CallOptions::new()));
    }
    session.destination.reject_input(path)?;
    let options = CallOptions::new().cancel_token(&session.cancel_token);
    let input = async { read_path.await.map_err(|error| file_failure(error, path)) };
    session.client.prepare::<O, _, _>(while_waiting(unread_file(&display_path(path)), input), options).await
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// Creates a failure that names the file. A text that is not a path is not quoted, because it may be the content of a file.
fn file_failure(error: Error, path: &Path) -> Failure {
    let error = error.with_argument("path");
    let is_path = std::error::Error::source(&error).is_some() || path.exists();
    if is_path { Failure::Upload(error, display_path(path), None) } else { error.into() }
}

/// Returns the path of a file, or `stdin`, for error messages: at most 100 characters.
pub(super) fn display_path(path: &Path) -> String {
    Upload::path(path).quotable_path().filter(|path| path != STDIN).unwrap_or_else(|| "stdin".to_owned())
}

fn check<T>(file: T, check_format: impl FnOnce(T) -> Result<T, Error>, any: bool) -> Result<T, Error> {
    if any { Ok(file) } else { check_format(file) }
}
