//! Images and documents to upload, from a path, bytes, a reader or a URL.
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client) -> Result<(), vitalwire::Error> {
//! use vitalwire::upload::{Document, Image};
//! let meal = client.nutrition_records().upload_image(Image::from_path("lunch.jpg").await?).and_wait().await?;
//! let report = client.lab_reports().upload_document(Document::from_path("blood.pdf").await?).and_wait().await?;
//! # let _ = (meal, report);
//! # Ok(())
//! # }
//! ```
//!
//! [`Call::prepare_upload`] prepares an upload that another program sends, such as a background service of an operating system.
//!
//! Clones share the bytes, and requests are written directly from them. Errors never contain a path, file name or content.

mod read;
mod source;
mod strip;

use std::fmt;
use std::io::Read;
use std::path::Path;

use bytes::Bytes;
use url::{ParseError, Url};
use vitalwire_runtime::request::content;

use crate::client::Call;
use crate::error::Error;
use crate::operations::{LabReportsUploadParams, NutritionRecordsUploadParams};
use crate::resources::{LabReports, NutritionRecords};

pub use source::Upload;

/// Maximum size of a file or reader: 64 MiB. Pass larger content as bytes.
///
/// This is six times the interface's largest documented limit, so no valid document is rejected. It keeps a file chosen by mistake from
/// filling the memory.
pub const MAX_READ: usize = 64 << 20;

/// A picture of food, as bytes or as a URL.
#[derive(Clone, PartialEq, Eq)]
pub struct Image(Source);

#[derive(Clone, PartialEq, Eq)]
enum Source {
    Bytes(Bytes),
    Url(String),
}

impl Image {
    /// Creates an image from the bytes of a file.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Self {
        Self(Source::Bytes(bytes.into()))
    }

    /// Reads a file, on a separate thread.
    ///
    /// # Errors
    /// * `invalid_argument` if the file does not exist, cannot be read, is empty, or is larger than [`MAX_READ`].
    /// * `transport` if the process has no file descriptors left.
    pub async fn from_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self(Source::Bytes(read::read_path(path.as_ref()).await?)))
    }

    /// Reads everything that the reader returns. Blocks this thread.
    ///
    /// # Errors
    /// Same as [`Image::from_path`].
    pub fn from_reader(reader: impl Read) -> Result<Self, Error> {
        Ok(Self(Source::Bytes(read::read_reader(reader, "reader")?)))
    }

    /// Creates an image that the service downloads from this URL.
    ///
    /// # Errors
    /// `invalid_argument` if the text is not an HTTP or HTTPS URL.
    pub fn from_url(url: &str) -> Result<Self, Error> {
        let is_http = match Url::parse(url) {
            Ok(parsed) => matches!(parsed.scheme(), "http" | "https"),
            // This build has no IDNA tables; the service resolves host names beyond ASCII.
            Err(ParseError::IdnaError) => !url.is_ascii() && source::is_url(url),
            Err(_) => false,
        };
        if is_http {
            Ok(Self(Source::Url(url.to_owned())))
        } else {
            let reason = content::detect_encoded_file(url.as_bytes()).unwrap_or("must be an HTTP or HTTPS URL");
            Err(Error::invalid_argument("body_url", reason))
        }
    }

    /// Removes the metadata: location, time, camera, texts, thumbnails, and anything after the end of the picture. Pixels, colour profile
    /// and the orientation in EXIF data are unchanged.
    ///
    /// Supports JPEG, PNG and WebP. While this runs, both the file and the result are in memory.
    ///
    /// # Errors
    /// `invalid_argument` naming `image` if the format is not supported, the file is damaged or truncated, or the image is a URL. A file
    /// that cannot be parsed is never passed on unchanged.
    pub fn without_metadata(self) -> Result<Self, Error> {
        match self.0 {
            Source::Bytes(bytes) => Ok(Self(Source::Bytes(strip::strip(&bytes)?))),
            Source::Url(_) => Err(strip::invalid_image("must not be a URL when its metadata is removed; download it first")),
        }
    }

    /// Sets this picture on upload parameters.
    #[must_use]
    pub fn set(self, params: NutritionRecordsUploadParams) -> NutritionRecordsUploadParams {
        match self.0 {
            Source::Bytes(bytes) => params.body(bytes),
            Source::Url(url) => params.body_url(url),
        }
    }

    /// Checks that the bytes are not empty, base64 text or a data URL. Calls run the same check, unless client-side validation is turned
    /// off.
    ///
    /// # Errors
    /// `invalid_argument` naming `image`. The reason says what to pass instead.
    pub fn checked(self) -> Result<Self, Error> {
        match self.bytes().and_then(|bytes| invalid_content(bytes).or_else(|| content::detect_base64_text(bytes))) {
            Some(reason) => Err(Error::invalid_argument("image", reason)),
            None => Ok(self),
        }
    }

    /// Detects the media type from the bytes, such as `image/jpeg`. Returns `None` if it is unknown, and for a URL.
    #[must_use]
    pub fn media_type(&self) -> Option<&'static str> {
        self.bytes().and_then(|bytes| media_type(bytes))
    }

    /// Returns the bytes to send. Returns `None` for a URL.
    #[must_use]
    pub fn bytes(&self) -> Option<&Bytes> {
        match &self.0 {
            Source::Bytes(bytes) => Some(bytes),
            Source::Url(_) => None,
        }
    }

    /// Returns the number of bytes. Returns `None` for a URL.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        self.bytes().map(Bytes::len)
    }
}

/// A lab report document with its file name.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    bytes: Bytes,
    filename: String,
}

impl Document {
    /// Creates a document from the bytes of a file and its name.
    pub fn from_bytes(bytes: impl Into<Bytes>, filename: impl Into<String>) -> Self {
        Self { bytes: bytes.into(), filename: filename.into() }
    }

    /// Reads a file, on a separate thread. The document is named after the last part of the path.
    ///
    /// # Errors
    /// * Errors of [`Image::from_path`].
    /// * `invalid_argument` naming `filename` if the file name is not Unicode, or the file is a pipe such as `/dev/stdin`. Use
    ///   [`Upload::with_filename`] for such files.
    pub async fn from_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = read::read_path(path).await?;
        let filename = source::file_name(path).ok_or_else(|| Error::invalid_argument("filename", source::NO_NAME))?;
        Ok(Self { bytes, filename: filename.to_owned() })
    }

    /// Reads everything that the reader returns. Blocks this thread.
    ///
    /// # Errors
    /// Same as [`Image::from_path`].
    pub fn from_reader(reader: impl Read, filename: impl Into<String>) -> Result<Self, Error> {
        Ok(Self { bytes: read::read_reader(reader, "reader")?, filename: filename.into() })
    }

    /// Sets the file name to send. File names may be personal data.
    #[must_use]
    pub fn with_filename(mut self, filename: impl Into<String>) -> Self {
        self.filename = filename.into();
        self
    }

    /// Checks that the bytes are not empty, a data URL, or base64 text of a known file type. Calls run the same check, unless client-side
    /// validation is turned off.
    ///
    /// # Errors
    /// `invalid_argument` naming `document`. The reason says what to pass instead.
    pub fn checked(self) -> Result<Self, Error> {
        match invalid_content(&self.bytes) {
            Some(reason) => Err(Error::invalid_argument("document", reason)),
            None => Ok(self),
        }
    }

    /// Detects the media type from the bytes, such as `application/pdf`. For information only: the service detects the type itself, and no
    /// type is rejected locally.
    #[must_use]
    pub fn media_type(&self) -> Option<&'static str> {
        media_type(&self.bytes)
    }

    /// Sets this document on upload parameters.
    #[must_use]
    pub fn set(self, mut params: LabReportsUploadParams) -> LabReportsUploadParams {
        params.body = self.bytes.into();
        params.filename = self.filename;
        params
    }

    /// Returns the file name to send.
    #[must_use]
    pub fn filename(&self) -> &str {
        &self.filename
    }
}

/// Returns the reason why the bytes cannot be a file, if any.
fn invalid_content(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() { Some(content::EMPTY_FILE) } else { content::detect_encoded_file(bytes) }
}

/// Detects the media type from the first bytes.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    infer::get(bytes).map(|kind| kind.mime_type())
}

impl NutritionRecordsUploadParams {
    /// Removes the metadata of the picture, as [`Image::without_metadata`] does. Does nothing if no bytes are set.
    ///
    /// # Errors
    /// Same as [`Image::without_metadata`], naming `body`.
    pub fn without_metadata(mut self) -> Result<Self, Error> {
        if let Some(body) = self.body.take() {
            let stripped = Image::from_bytes(body).without_metadata().map_err(|error| error.with_argument("body"))?;
            self.body = stripped.bytes().cloned().map(Into::into);
        }
        Ok(self)
    }
}

impl NutritionRecords {
    /// Uploads a picture of food. Same as [`NutritionRecords::upload`] with the picture set.
    pub fn upload_image(&self, image: Image) -> Call<NutritionRecordsUploadParams> {
        self.upload().map_parameters(|params| image.set(params))
    }
}

impl LabReports {
    /// Uploads a document. Same as [`LabReports::upload`] with the document's bytes and name.
    pub fn upload_document(&self, document: Document) -> Call<LabReportsUploadParams> {
        self.upload(document.bytes, document.filename)
    }
}

/// Redacted: shows the size only.
impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size() {
            Some(bytes) => write!(f, "Image({bytes} bytes)"),
            None => f.write_str("Image(url)"),
        }
    }
}

/// Redacted: shows the size only.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({} bytes)", self.bytes.len())
    }
}
