//! What a caller has of a file, before it is read.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::{Document, Image, read};
use crate::error::Error;

/// What is uploaded, whatever a caller has of it: a path, bytes, what a reader returns, or an address. Bindings hold it until the call is
/// made, and then take a [picture](Upload::into_image) or a [document](Upload::into_document) of it.
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
    fn of(source: Source) -> Self {
        Self { source, filename: None, without_metadata: false }
    }

    /// A file, which is read when it is uploaded.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Self::of(Source::Path(path.into()))
    }

    /// Bytes of a file.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Self::of(Source::Bytes(bytes.into()))
    }

    /// Everything that a reader returns, read here. Blocks this thread.
    ///
    /// # Errors
    /// As [`Image::from_reader`].
    pub fn reader(reader: impl Read) -> Result<Self, Error> {
        Ok(Self::bytes(read::reader(reader, "reader")?))
    }

    /// A URL from which the service downloads a picture itself.
    pub fn url(url: impl Into<String>) -> Self {
        Self::of(Source::Url(url.into()))
    }

    /// A text that is an HTTP or HTTPS URL, or else a path: what people type.
    #[must_use]
    pub fn text(text: &str) -> Self {
        if is_address(text) { Self::url(text) } else { Self::path(text) }
    }

    /// Sets the file name that is sent. The name of a file may be personal.
    #[must_use]
    pub fn with_filename(mut self, filename: impl Into<String>) -> Self {
        self.filename = Some(filename.into());
        self
    }

    /// Whether a picture is sent without its [metadata](Image::without_metadata).
    #[must_use]
    pub fn without_metadata(mut self, without_metadata: bool) -> Self {
        self.without_metadata = without_metadata;
        self
    }

    /// Its file name: the one it was given, or the last part of its path.
    #[must_use]
    pub fn filename(&self) -> Option<&str> {
        self.filename.as_deref().or(match &self.source {
            Source::Path(path) => name(path),
            Source::Bytes(_) | Source::Url(_) => None,
        })
    }

    /// Its path, if it is one.
    #[must_use]
    pub fn as_path(&self) -> Option<&Path> {
        match &self.source {
            Source::Path(path) => Some(path),
            Source::Bytes(_) | Source::Url(_) => None,
        }
    }

    /// Its path as an error of the language may quote it: at most 100 characters, shortened in the middle.
    ///
    /// Only for an error whose source is an [`io::Error`](std::io::Error). Text that is no path has another error.
    #[must_use]
    pub fn quotable_path(&self) -> Option<String> {
        self.as_path().map(|path| shortened(&path.to_string_lossy()))
    }

    /// Whether it is a URL.
    #[must_use]
    pub fn is_url(&self) -> bool {
        matches!(self.source, Source::Url(_))
    }

    /// A picture of it; a file is read on a thread of its own.
    ///
    /// # Errors
    /// As [`Image::from_path`], [`Image::from_url`] and [`Image::without_metadata`].
    pub async fn into_image(self) -> Result<Image, Error> {
        let image = match self.source {
            Source::Path(path) => Image::from_path(path).await?,
            Source::Bytes(bytes) => Image::from_bytes(bytes),
            Source::Url(url) => Image::from_url(&url)?,
        };
        if self.without_metadata { image.without_metadata() } else { Ok(image) }
    }

    /// A document of it, named as the caller says or as its file; a file is read on a thread of its own.
    ///
    /// # Errors
    /// As [`Document::from_path`]; `invalid_argument` naming `filename` where nothing gives a name, and `body` for a URL.
    pub async fn into_document(self) -> Result<Document, Error> {
        let filename = self.filename().map(str::to_owned);
        let bytes = match self.source {
            Source::Path(path) => read::path(&path).await?,
            Source::Bytes(bytes) => bytes,
            Source::Url(_) => return Err(Error::invalid_argument("body", "is an address; a document is sent as bytes")),
        };
        let unnamed = || Error::invalid_argument("filename", "is needed where what is uploaded has no name of its own");
        Ok(Document::from_bytes(bytes, filename.ok_or_else(unnamed)?))
    }
}

/// Maximum number of characters of a path that an error quotes, and how many of them come from its start.
const MAX_QUOTED: usize = 100;
const QUOTED_START: usize = 29;

fn shortened(path: &str) -> String {
    let count = path.chars().count();
    if count <= MAX_QUOTED {
        return path.to_owned();
    }
    let start = path.chars().take(QUOTED_START);
    start.chain(['…']).chain(path.chars().skip(count + QUOTED_START + 1 - MAX_QUOTED)).collect()
}

/// The last part of a path.
fn name(path: &Path) -> Option<&str> {
    path.file_name().and_then(std::ffi::OsStr::to_str)
}

/// Whether a text begins as URLs of pictures do.
pub(super) fn is_address(text: &str) -> bool {
    let begins = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    begins("http://") || begins("https://")
}

/// Shows what it is, no path, name or content.
impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Path(_) => f.write_str("Upload(path)"),
            Source::Bytes(bytes) => write!(f, "Upload({} bytes)", bytes.len()),
            Source::Url(_) => f.write_str("Upload(url)"),
        }
    }
}
