//! Pictures without what they tell of their maker.

use vitalwire::upload::Image;

use crate::call::guarded;
use crate::error::ApiError;

/// The same picture, pixel for pixel, without metadata: place, time, camera, texts, thumbnails, further pictures after its end. Colour
/// profiles and orientation stay. For JPEG, PNG and WebP; upload what it returns.
///
/// # Errors
/// Kind `invalid_argument` where the picture is of another kind, broken or cut short: what is not understood is never passed on as it is.
#[uniffi::export]
pub fn picture_without_metadata(picture: Vec<u8>) -> Result<Vec<u8>, ApiError> {
    guarded(|| {
        let image = Image::from_bytes(picture).without_metadata().map_err(|error| error.of_argument("picture"))?;
        Ok(image.bytes().map(|bytes| bytes.to_vec()).unwrap_or_default())
    })
}
