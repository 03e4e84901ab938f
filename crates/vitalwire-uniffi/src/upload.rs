//! Files to upload, and removal of metadata from pictures.

use std::fmt;

use vitalwire::operations::{LabReportsUploadParams, NutritionRecordsUploadParams};
use vitalwire::upload as core;

use crate::call::catch_panics;
use crate::error::ApiError;

/// Source of a file to upload.
#[derive(Clone, uniffi::Enum)]
#[uniffi::export(Debug)]
pub enum UploadSource {
    /// Path of a local file. The core reads the file once, on a thread for blocking work.
    Path {
        /// The path.
        path: String,
    },
    /// Contents of the file.
    Bytes {
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// URL of a picture, which the service downloads.
    Address {
        /// An HTTP or HTTPS URL.
        url: String,
    },
}

/// Omits the path, URL and content from debug output.
impl fmt::Debug for UploadSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UploadSource(..)")
    }
}

/// A file to upload.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Upload {
    /// Source of the file.
    pub source: UploadSource,
    /// File name of a document to send. Defaults to the file's own name, which may be personal data.
    #[uniffi(default = None)]
    pub filename: Option<String>,
    /// Whether to remove the metadata of a picture. Defaults to false. Documents are sent unchanged.
    #[uniffi(default = false)]
    pub without_metadata: bool,
}

/// Omits the name and content from debug output.
impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upload(..)")
    }
}

impl From<Upload> for core::Upload {
    fn from(native: Upload) -> Self {
        let upload = match native.source {
            UploadSource::Path { path } => Self::path(path),
            UploadSource::Bytes { bytes } => Self::bytes(bytes),
            UploadSource::Address { url } => Self::url(url),
        };
        let upload = upload.without_metadata(native.without_metadata);
        match native.filename {
            Some(filename) => upload.with_filename(filename),
            None => upload,
        }
    }
}

/// Sets the picture in the parameters, if there is an upload.
pub(crate) async fn set_image(
    params: NutritionRecordsUploadParams,
    upload: Option<Upload>,
) -> Result<NutritionRecordsUploadParams, ApiError> {
    match upload {
        Some(upload) => Ok(core::Upload::from(upload).into_image().await?.set(params)),
        None => Ok(params),
    }
}

/// Sets the document in the parameters, if there is an upload.
pub(crate) async fn set_document(params: LabReportsUploadParams, upload: Option<Upload>) -> Result<LabReportsUploadParams, ApiError> {
    match upload {
        Some(upload) => Ok(core::Upload::from(upload).into_document().await?.set(params)),
        None => Ok(params),
    }
}

/// Returns the maximum size of a file to upload, in bytes. Code that reads files on the foreign side must respect it too.
#[uniffi::export]
pub fn max_file_bytes() -> u64 {
    core::MAX_READ as u64
}

/// Returns a JPEG, PNG or WebP picture without its metadata: place, time, camera, texts, thumbnails and appended pictures.
///
/// Pixels, colour profiles and orientation are kept.
///
/// # Errors
/// Kind `invalid_argument` if the picture has another format, is damaged or is truncated. It is never returned
/// unchanged.
#[uniffi::export]
pub fn picture_without_metadata(picture: Vec<u8>) -> Result<Vec<u8>, ApiError> {
    catch_panics(|| {
        let image = core::Image::from_bytes(picture).without_metadata().map_err(|error| error.with_argument("picture"))?;
        Ok(image.bytes().map(|bytes| bytes.to_vec()).unwrap_or_default())
    })
}
