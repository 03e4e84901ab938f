//! Pictures and documents to upload: from a path, bytes, a reader or a URL.
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
//! Bytes are kept once: a clone shares them, and the request's body is written straight from them. No path, name or content
//! is in any error.

mod given;
mod read;
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

pub use given::Upload;

/// Maximum bytes that are read from a path or reader: six times the widest reading of the interface's limits, so that no document that a
/// service accepts is refused, and a file chosen by mistake does not fill the memory. Pass larger ones as bytes.
pub const MAX_READ: usize = 64 << 20;

/// A picture of food: its bytes, or where the service finds it.
#[derive(Clone, PartialEq, Eq)]
pub struct Image(Source);

#[derive(Clone, PartialEq, Eq)]
enum Source {
    Bytes(Bytes),
    Url(String),
}

impl Image {
    /// Bytes of a file.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Self {
        Self(Source::Bytes(bytes.into()))
    }

    /// A file, read on a thread of its own.
    ///
    /// # Errors
    /// `invalid_argument` if there is no such file, it cannot be read, is empty, or larger than [`MAX_READ`]; `transport` if no file
    /// descriptors are left.
    pub async fn from_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Self(Source::Bytes(read::path(path.as_ref()).await?)))
    }

    /// Everything that a reader returns. Blocks this thread.
    ///
    /// # Errors
    /// As [`Image::from_path`].
    pub fn from_reader(reader: impl Read) -> Result<Self, Error> {
        Ok(Self(Source::Bytes(read::reader(reader, "reader")?)))
    }

    /// A URL from which the service downloads the picture itself.
    ///
    /// # Errors
    /// `invalid_argument` if it is not an HTTP or HTTPS URL.
    pub fn from_url(url: &str) -> Result<Self, Error> {
        let is_http = match Url::parse(url) {
            Ok(parsed) => matches!(parsed.scheme(), "http" | "https"),
            // The service reads a host name beyond ASCII; this library has no tables for it.
            Err(ParseError::IdnaError) => !url.is_ascii() && given::is_address(url),
            Err(_) => false,
        };
        if is_http {
            Ok(Self(Source::Url(url.to_owned())))
        } else {
            let reason = content::encoded(url.as_bytes()).unwrap_or("is not an HTTP or HTTPS URL");
            Err(Error::invalid_argument("body_url", reason))
        }
    }

    /// Returns the same picture, pixel for pixel, without metadata: place, time, camera, texts, thumbnails, further pictures after its end.
    /// Colour profiles and orientation stay.
    ///
    /// For JPEG, PNG and WebP. While this runs there are the file and its result; the file is freed then, unless a clone shares it.
    ///
    /// # Errors
    /// `invalid_argument` naming `image` where the bytes are of another kind, broken or cut short, and for an address: what is
    /// not understood is never passed on unstripped.
    pub fn without_metadata(self) -> Result<Self, Error> {
        match self.0 {
            Source::Bytes(bytes) => Ok(Self(Source::Bytes(strip::strip(&bytes)?))),
            Source::Url(_) => Err(strip::refuse("is given by URL, so its metadata cannot be removed; download it first")),
        }
    }

    /// The parameters of an upload with this picture.
    #[must_use]
    pub fn set(self, params: NutritionRecordsUploadParams) -> NutritionRecordsUploadParams {
        match self.0 {
            Source::Bytes(bytes) => params.body(bytes),
            Source::Url(url) => params.body_url(url),
        }
    }

    /// Checks that there are bytes, and that they are not base64 text or a data URL. A call checks it too, unless local checks are off.
    ///
    /// # Errors
    /// `invalid_argument` naming `image`; the reason says what to pass instead.
    pub fn checked(self) -> Result<Self, Error> {
        match self.bytes().and_then(|bytes| mistake(bytes).or_else(|| content::encoded_text(bytes))) {
            Some(reason) => Err(Error::invalid_argument("image", reason)),
            None => Ok(self),
        }
    }

    /// The media type that the bytes show, such as `image/jpeg`; `None` if they show none, and for a URL.
    #[must_use]
    pub fn media_type(&self) -> Option<&'static str> {
        self.bytes().and_then(|bytes| media_type(bytes))
    }

    /// The bytes as they will be sent; `None` for a URL.
    #[must_use]
    pub fn bytes(&self) -> Option<&Bytes> {
        match &self.0 {
            Source::Bytes(bytes) => Some(bytes),
            Source::Url(_) => None,
        }
    }

    /// Number of bytes; `None` for a URL.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        self.bytes().map(Bytes::len)
    }
}

/// A lab report's document, and the file name that the service receives.
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    bytes: Bytes,
    filename: String,
}

impl Document {
    /// Bytes of a file, and its name.
    pub fn from_bytes(bytes: impl Into<Bytes>, filename: impl Into<String>) -> Self {
        Self { bytes: bytes.into(), filename: filename.into() }
    }

    /// A file, read on a thread of its own; the last part of the path is its name.
    ///
    /// # Errors
    /// As [`Image::from_path`]; also where the name is not Unicode.
    pub async fn from_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = read::path(path).await?;
        let name = path.file_name().and_then(std::ffi::OsStr::to_str);
        let filename = name.ok_or_else(|| Error::invalid_argument("path", "has a name that is not Unicode"))?;
        Ok(Self { bytes, filename: filename.to_owned() })
    }

    /// Everything that a reader returns, and its name. Blocks this thread.
    ///
    /// # Errors
    /// As [`Image::from_path`].
    pub fn from_reader(reader: impl Read, filename: impl Into<String>) -> Result<Self, Error> {
        Ok(Self { bytes: read::reader(reader, "reader")?, filename: filename.into() })
    }

    /// Sets the file name that is sent. The name of a file may be personal.
    #[must_use]
    pub fn with_filename(mut self, filename: impl Into<String>) -> Self {
        self.filename = filename.into();
        self
    }

    /// Checks that there are bytes, and that they are not a data URL or base64 text of a known file type. A call checks it too, unless
    /// local checks are off.
    ///
    /// # Errors
    /// `invalid_argument` naming `document`; the reason says what to pass instead.
    pub fn checked(self) -> Result<Self, Error> {
        match mistake(&self.bytes) {
            Some(reason) => Err(Error::invalid_argument("document", reason)),
            None => Ok(self),
        }
    }

    /// The media type that the bytes show, such as `application/pdf`; the service detects it itself, and no type is refused here.
    #[must_use]
    pub fn media_type(&self) -> Option<&'static str> {
        media_type(&self.bytes)
    }

    /// The parameters of an upload with this document.
    #[must_use]
    pub fn set(self, mut params: LabReportsUploadParams) -> LabReportsUploadParams {
        params.body = self.bytes.into();
        params.filename = self.filename;
        params
    }

    /// The file name that the service receives.
    #[must_use]
    pub fn filename(&self) -> &str {
        &self.filename
    }
}

/// Reasons for rejecting bytes as a file.
fn mistake(bytes: &[u8]) -> Option<&'static str> {
    if bytes.is_empty() { Some(content::EMPTY) } else { content::encoded(bytes) }
}

/// What the first bytes of a file say it is.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    infer::get(bytes).map(|kind| kind.mime_type())
}

impl NutritionRecordsUploadParams {
    /// The same upload, its picture [without metadata](Image::without_metadata); nothing changes where there is no picture.
    ///
    /// # Errors
    /// As [`Image::without_metadata`], naming `body`.
    pub fn without_metadata(mut self) -> Result<Self, Error> {
        if let Some(body) = self.body.take() {
            let stripped = Image::from_bytes(body).without_metadata().map_err(|error| error.of_argument("body"))?;
            self.body = stripped.bytes().cloned().map(Into::into);
        }
        Ok(self)
    }
}

impl NutritionRecords {
    /// Uploads a picture of food: [`NutritionRecords::upload`] with the picture set.
    pub fn upload_image(&self, image: Image) -> Call<NutritionRecordsUploadParams> {
        self.upload().with(|params| image.set(params))
    }
}

impl LabReports {
    /// Uploads a document: [`LabReports::upload`] with its bytes and name.
    pub fn upload_document(&self, document: Document) -> Call<LabReportsUploadParams> {
        self.upload(document.bytes, document.filename)
    }
}

/// Shows the size only.
impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size() {
            Some(bytes) => write!(f, "Image({bytes} bytes)"),
            None => f.write_str("Image(url)"),
        }
    }
}

/// Shows the size only.
impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({} bytes)", self.bytes.len())
    }
}
