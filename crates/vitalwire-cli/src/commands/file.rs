//! Files to send: where they are read from, and whether they are what is usually sent.

use std::io;
use std::path::Path;

use vitalwire::client::CallOptions;
use vitalwire::operations::NutritionRecordsUploadParams;
use vitalwire::upload::{Document, Image, Upload};
use vitalwire::{Error, ErrorKind};

use super::confirm::{can_ask, confirmed};
use super::session::Session;
use crate::failure::Failure;
use crate::render::style::clean;

/// Stands for stdin in the place of a file's name.
const STDIN: &str = "-";

/// What files of a kind show by their first bytes.
pub(super) struct Usual {
    media_types: &'static [&'static str],
    /// What is said of any other file.
    other: &'static str,
}

/// Pictures of food: the interface names these.
pub(super) const PICTURE: Usual =
    Usual { media_types: NutritionRecordsUploadParams::BODY_MEDIA_TYPES, other: "the file is no JPEG, PNG or WebP, by its first bytes" };

/// Laboratories' documents. The interface names none, so no client refuses any other: these are what is known to be read.
pub(super) const DOCUMENT: Usual =
    Usual { media_types: &["application/pdf", "image/jpeg", "image/png"], other: "the file is no PDF, JPEG or PNG, by its first bytes" };

impl Usual {
    /// How a file is sent that shows this media type. One that is none of these may be a private one, chosen by mistake: unless any is to be
    /// sent, who sits at a terminal is asked, and anybody else is told how to send it.
    pub(super) async fn options(
        &self,
        session: &Session,
        path: &Path,
        media_type: Option<&str>,
        any: bool,
    ) -> Result<CallOptions, Failure> {
        if media_type.is_some_and(|found| self.media_types.contains(&found)) {
            return Ok(CallOptions::new());
        }
        let refuse = |hint| Err(Failure::Upload(Error::invalid_argument("path", self.other), name(path), Some(hint)));
        if !any {
            if !can_ask() {
                return refuse("nothing was sent; --any-format sends it as it is");
            }
            if !confirmed(session, format!("{}: {}. Send it all the same?", clean(&name(path)), self.other)).await? {
                return refuse("nothing was sent");
            }
        }
        // The client would refuse what shows another kind: the service is to judge.
        Ok(CallOptions::new().local_checks(false))
    }
}

/// A picture of a file or of stdin. Base64 text and data URLs are refused, unless any format is allowed.
pub(super) async fn picture(session: &Session, path: &str, any: bool) -> Result<Image, Failure> {
    if path == STDIN {
        return piped(session, move || check(Image::from_reader(io::stdin())?, Image::checked, any)).await;
    }
    session.destination.spare(Path::new(path))?;
    let picture = session.stop.unless_cancelled(Image::from_path(path)).await.ok_or_else(Error::cancelled)?;
    picture.and_then(|image| check(image, Image::checked, any)).map_err(|error| about(error, Path::new(path)))
}

/// A document of a file, or of stdin under this name, checked like a picture.
pub(super) async fn document(session: &Session, path: &Path, name: Option<String>, any: bool) -> Result<Document, Failure> {
    if path.as_os_str() != STDIN {
        session.destination.spare(path)?;
        let document = session.stop.unless_cancelled(Document::from_path(path)).await.ok_or_else(Error::cancelled)?;
        let document = document.and_then(|document| check(document, Document::checked, any)).map_err(|error| about(error, path))?;
        return Ok(match name {
            Some(name) => document.with_filename(name),
            None => document,
        });
    }
    let name = name.ok_or(Failure::Usage("a document of stdin has no file name", "--name NAME gives it one"))?;
    piped(session, move || check(Document::from_reader(io::stdin(), name)?, Document::checked, any)).await
}

/// The failure of a file, which names it. A text that is no path is not quoted: it may be the content of a file.
fn about(error: Error, path: &Path) -> Failure {
    let error = error.of_argument("path");
    let is_path = std::error::Error::source(&error).is_some() || path.exists();
    if is_path { Failure::Upload(error, name(path), None) } else { error.into() }
}

/// The path of a file, or stdin, as errors quote it: at most 100 characters.
fn name(path: &Path) -> String {
    Upload::path(path).quotable_path().filter(|path| path != STDIN).unwrap_or_else(|| "stdin".to_owned())
}

fn check<T>(file: T, checked: impl FnOnce(T) -> Result<T, Error>, any: bool) -> Result<T, Error> {
    if any { Ok(file) } else { checked(file) }
}

/// Reads stdin on a thread of its own, so that Ctrl-C ends it at once.
async fn piped<T: Send + 'static>(session: &Session, read: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Failure> {
    let read = session.stop.unless_cancelled(tokio::task::spawn_blocking(read)).await.ok_or_else(Error::cancelled)?;
    Ok(read.unwrap_or_else(|_| Err(Error::new(ErrorKind::Internal))).map_err(|error| error.of_argument("stdin"))?)
}
