//! Files to upload, and pictures without what they tell of their maker.

use std::fmt;

use vitalwire::operations::{LabReportsUploadParams, NutritionRecordsUploadParams};
use vitalwire::upload as core;

use crate::call::guarded;
use crate::error::ApiError;

/// What an application has of a file.
#[derive(Clone, uniffi::Enum)]
#[uniffi::export(Debug)]
pub enum UploadSource {
    /// Where it is on this machine. The core reads it, once, on a thread for blocking work.
    Path {
        /// The path.
        path: String,
    },
    /// Its bytes.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Where the service finds a picture.
    Address {
        /// An HTTP or HTTPS URL.
        url: String,
    },
}

/// Shows no path, no address and no content.
impl fmt::Debug for UploadSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UploadSource(..)")
    }
}

/// A file to upload.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Upload {
    /// What there is of it.
    pub source: UploadSource,
    /// Another name than the file's own, which may be personal; documents alone have names.
    #[uniffi(default = None)]
    pub filename: Option<String>,
    /// Whether a picture is sent without its metadata; documents are sent as they are.
    #[uniffi(default = false)]
    pub without_metadata: bool,
}

/// Shows no name and no content.
impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upload(..)")
    }
}

impl From<Upload> for core::Upload {
    fn from(given: Upload) -> Self {
        let upload = match given.source {
            UploadSource::Path { path } => Self::path(path),
            UploadSource::Bytes { bytes } => Self::bytes(bytes),
            UploadSource::Address { url } => Self::url(url),
        };
        let upload = upload.without_metadata(given.without_metadata);
        match given.filename {
            Some(filename) => upload.with_filename(filename),
            None => upload,
        }
    }
}

/// The parameters with a picture that was given as a file.
pub(crate) async fn image(params: NutritionRecordsUploadParams, upload: Option<Upload>) -> Result<NutritionRecordsUploadParams, ApiError> {
    match upload {
        Some(upload) => Ok(core::Upload::from(upload).into_image().await?.set(params)),
        None => Ok(params),
    }
}

/// The parameters with a document that was given as a file.
pub(crate) async fn document(params: LabReportsUploadParams, upload: Option<Upload>) -> Result<LabReportsUploadParams, ApiError> {
    match upload {
        Some(upload) => Ok(core::Upload::from(upload).into_document().await?.set(params)),
        None => Ok(params),
    }
}

/// How many bytes of a file are read at most; what is read elsewhere keeps to it too.
#[uniffi::export]
pub fn max_file_bytes() -> u64 {
    core::MAX_READ as u64
}

/// The same picture, pixel for pixel, without metadata: place, time, camera, texts, thumbnails, further pictures after its end. Colour
/// profiles and orientation stay. For JPEG, PNG and WebP; upload what it returns.
///
/// # Errors
/// Kind `invalid_argument` where the picture is of another kind, broken or cut short: what is not understood is never passed on as it is.
#[uniffi::export]
pub fn picture_without_metadata(picture: Vec<u8>) -> Result<Vec<u8>, ApiError> {
    guarded(|| {
        let image = core::Image::from_bytes(picture).without_metadata().map_err(|error| error.of_argument("picture"))?;
        Ok(image.bytes().map(|bytes| bytes.to_vec()).unwrap_or_default())
    })
}
