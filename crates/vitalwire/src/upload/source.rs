//! Upload sources that are not read yet.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::{Document, Image, read};
use crate::error::Error;

/// Source of an upload: a path, bytes or a URL. Wrappers keep it until the call is made, then turn it into an [image](Upload::into_image)
/// or a [document](Upload::into_document).
#[derive(Clone, PartialEq, Eq)]
pub struct Upload {
    source: Source,
    filename: Option<String>,
    without_metadata: bool,
}

#[derive(Clone, PartialEq, Eq)]
enum Source {
    Path(PathBuf),
    Bytes(Bytes),
    Url(String),
}

impl Upload {
    fn new(source: Source) -> Self {
        Self { source, filename: None, without_metadata: false }
    }

    /// Creates an upload of a file. The file is read when it is uploaded.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self::new(Source::Path(path.into()))
    }

    /// Creates an upload of bytes.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Self::new(Source::Bytes(bytes.into()))
    }

    /// Reads everything that the reader returns, now. Blocks this thread.
    ///
    /// # Errors
    /// Same as [`Image::from_reader`].
    pub fn reader(reader: impl Read) -> Result<Self, Error> {
        Ok(Self::bytes(read::read_reader(reader, "reader")?))
    }

    /// Creates an upload of a picture that the service downloads from this URL.
    pub fn url(url: impl Into<String>) -> Self {
        Self::new(Source::Url(url.into()))
    }

    /// Creates an upload from an argument of the program: a URL if the text begins with `http://` or `https://`, otherwise a path.
    ///
    /// Never pass a text from somebody else, such as a field of a web form: it may name any file of this machine. Use [`Upload::bytes`] or
    /// [`Upload::url`].
    #[must_use]
    pub fn text(text: &str) -> Self {
        if is_url(text) { Self::url(text) } else { Self::path(text) }
    }

    /// Sets the file name to send. Defaults to the last part of the path, except for pipes such as `/dev/stdin`. File names may be personal
    /// data.
    #[must_use]
    pub fn with_filename(mut self, filename: impl Into<String>) -> Self {
        self.filename = Some(filename.into());
        self
    }

    /// Whether to remove the picture's [metadata](Image::without_metadata) before sending. Defaults to `false`.
    #[must_use]
    pub fn without_metadata(mut self, without_metadata: bool) -> Self {
        self.without_metadata = without_metadata;
        self
    }

    /// Returns the file name: the one that was set, or the last part of the path. `None` for pipes such as `/dev/stdin`.
    #[must_use]
    pub fn filename(&self) -> Option<&str> {
        self.filename.as_deref().or(match &self.source {
            Source::Path(path) => file_name(path),
            Source::Bytes(_) | Source::Url(_) => None,
        })
    }

    /// Returns the path, if the source is a file.
    #[must_use]
    pub fn as_path(&self) -> Option<&Path> {
        match &self.source {
            Source::Path(path) => Some(path),
            Source::Bytes(_) | Source::Url(_) => None,
        }
    }

    /// Returns the path in a form that a language's own error may quote: at most 100 characters, shortened in the middle.
    ///
    /// Use it only for errors whose source is an [`io::Error`](std::io::Error). Other errors mean that the text may not be a path at all.
    #[must_use]
    pub fn quotable_path(&self) -> Option<String> {
        self.as_path().map(|path| shorten(&path.to_string_lossy()))
    }

    /// Whether the source is a URL.
    #[must_use]
    pub fn is_url(&self) -> bool {
        matches!(self.source, Source::Url(_))
    }

    /// Turns the upload into an image. A file is read on a separate thread.
    ///
    /// # Errors
    /// Same as [`Image::from_path`], [`Image::from_url`] and [`Image::without_metadata`].
    pub async fn into_image(self) -> Result<Image, Error> {
        let image = match self.source {
            Source::Path(path) => Image::from_path(path).await?,
            Source::Bytes(bytes) => Image::from_bytes(bytes),
            Source::Url(url) => Image::from_url(&url)?,
        };
        if self.without_metadata { image.without_metadata() } else { Ok(image) }
    }

    /// Turns the upload into a document. A file is read on a separate thread. The document is named after the file, unless a name was set.
    ///
    /// # Errors
    /// * Errors of [`Document::from_path`].
    /// * `invalid_argument` naming `filename` if there is no file name.
    /// * `invalid_argument` naming `body` if the source is a URL.
    /// * `invalid_argument` naming `without_metadata` if it is set. Only pictures can be sent without metadata.
    pub async fn into_document(self) -> Result<Document, Error> {
        if self.without_metadata {
            return Err(Error::invalid_argument("without_metadata", "must not be set: documents are sent unchanged"));
        }
        let filename = self.filename().map(str::to_owned);
        let bytes = match self.source {
            Source::Path(path) => read::read_path(&path).await?,
            Source::Bytes(bytes) => bytes,
            Source::Url(_) => return Err(Error::invalid_argument("body", "must not be a URL; a document is sent as bytes")),
        };
        let no_name = || Error::invalid_argument("filename", NO_NAME);
        Ok(Document::from_bytes(bytes, filename.ok_or_else(no_name)?))
    }
}

/// Maximum length of a quoted path, and how much of that comes from its start, in characters.
const MAX_QUOTED: usize = 100;
const QUOTED_START: usize = 29;

fn shorten(path: &str) -> String {
    let count = path.chars().count();
    if count <= MAX_QUOTED {
        return path.to_owned();
    }
    let start = path.chars().take(QUOTED_START);
    start.chain(['…']).chain(path.chars().skip(count + QUOTED_START + 1 - MAX_QUOTED)).collect()
}

/// Error reason of a document without a name.
pub(super) const NO_NAME: &str = "is required for bytes, readers, pipes, and paths that are not Unicode";

/// Paths of pipes: `/dev/stdin`, and `/dev/fd/63` or `/proc/self/fd/63` for the output of a shell's command.
const PIPES: [&str; 3] = ["/dev/stdin", "/dev/fd", "/proc"];

/// Returns the last part of a path, if it is Unicode. A pipe has no name: the last part of its path is a number.
pub(super) fn file_name(path: &Path) -> Option<&str> {
    let is_pipe = PIPES.iter().any(|pipes| path.starts_with(pipes));
    path.file_name().filter(|_| !is_pipe).and_then(std::ffi::OsStr::to_str)
}

/// Whether the text begins with `http://` or `https://`.
pub(super) fn is_url(text: &str) -> bool {
    let begins = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    begins("http://") || begins("https://")
}

/// Redacted: shows the kind of source, but no path, name or content.
impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Path(_) => f.write_str("Upload(path)"),
            Source::Bytes(bytes) => write!(f, "Upload({} bytes)", bytes.len()),
            Source::Url(_) => f.write_str("Upload(url)"),
        }
    }
}
