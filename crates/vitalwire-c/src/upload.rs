//! Files to upload, and pictures without what they tell of their maker.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;

use vitalwire::Error;
use vitalwire::blocking::block_on;
use vitalwire::operations::LabReportsUploadParams;
use vitalwire::upload::Upload;
use vitalwire::value::Base64;

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::types::{vitalwire_lab_reports_upload_params, vitalwire_nutrition_records_upload_params};
use crate::given::{Given, set};
use crate::guard::{handle, present};
use crate::kind::owned;
use crate::outcome::attempt;
use crate::params::Params;
use crate::value::vitalwire_str;

/// Removes from the picture that was set what it tells beside itself: place, time, camera, texts, thumbnails, further pictures after its
/// end. Colours and orientation stay, pixel for pixel. For JPEG, PNG and WebP.
///
/// Set the picture first. One of another kind, or one that is broken or cut short, is never sent as it is: the call is refused with the
/// argument `body`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_nutrition_records_upload_params_remove_metadata(
    params: Option<&mut vitalwire_nutrition_records_upload_params>,
) {
    set(params, |params, given| match params.clone().without_metadata() {
        Ok(stripped) => *params = stripped,
        Err(error) => {
            params.body = None;
            given.refuse("body", error.reason().unwrap_or("its metadata cannot be removed"));
        }
    });
}

/// Has a picture sent that is a file on this machine. The file is read here, once; with `without_metadata` it is sent without what
/// vitalwire_nutrition_records_upload_params_remove_metadata removes. What cannot be read, or is no such picture, is refused here and
/// changes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_nutrition_records_upload_params_read_file(
    params: Option<&mut vitalwire_nutrition_records_upload_params>,
    path: vitalwire_str,
    without_metadata: bool,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let params = handle(params, "params")?;
        let file = file(&path)?.without_metadata(without_metadata);
        params.value = block_on(file.into_image())??.set(params.value.clone());
        Ok(())
    })
}

/// Makes parameters of `vitalwire_client_lab_reports_upload` from a document that is a file on this machine. The file is read here, once.
/// `filename` is another name than the file's own, which may be personal; without one (`data` is NULL) the last part of the path is sent.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_lab_reports_upload_params_from_file(
    path: vitalwire_str,
    filename: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_lab_reports_upload_params>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut given = Given::default();
        let name = given.optional_text("filename", &filename);
        given.check()?;
        let file = file(&path)?;
        let file = match name {
            Some(name) => file.with_filename(name),
            None => file,
        };
        let value = block_on(file.into_document())??.set(LabReportsUploadParams::new(Base64::default(), ""));
        out.write(owned(Params { value, given: Given::default() }));
        Ok(())
    })
}

fn file(path: &vitalwire_str) -> Result<Upload, Error> {
    let mut given = Given::default();
    let path = given.text("path", path);
    given.check()?;
    Ok(Upload::path(path))
}
