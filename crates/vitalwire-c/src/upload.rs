//! Uploads of files, and removal of metadata from pictures.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::future::Future;
use std::mem::MaybeUninit;
use std::time::Duration;

use tokio::time::timeout;
use vitalwire::Error;
use vitalwire::blocking::block_on;
use vitalwire::operations::LabReportsUploadParams;
use vitalwire::upload::Upload;
use vitalwire::value::Base64;

use crate::arguments::{Arguments, set};
use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::generated::types::{vitalwire_lab_reports_upload_params, vitalwire_nutrition_records_upload_params};
use crate::guard::{handle, present};
use crate::handles::owned;
use crate::outcome::attempt;
use crate::params::Params;
use crate::value::vitalwire_str;

/// Removes metadata from the picture that was set: place, time, camera, texts, thumbnails, and further pictures after its end. Colours and
/// orientation stay, pixel for pixel. Supports JPEG, PNG and WebP.
///
/// Set the picture first. A picture that is broken, truncated or of another format is not sent: the call fails with
/// VITALWIRE_ERROR_INVALID_ARGUMENT for `body`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_nutrition_records_upload_params_remove_metadata(
    params: Option<&mut vitalwire_nutrition_records_upload_params>,
) {
    set(params, |params, arguments| match params.clone().without_metadata() {
        Ok(stripped) => *params = stripped,
        Err(error) => {
            params.body = None;
            arguments.reject("body", error.reason().unwrap_or("has metadata that cannot be removed"));
        }
    });
}

/// Sets the picture to the contents of a file. The file is read once, by this function, for at most 4 minutes. `without_metadata` removes the metadata like
/// vitalwire_nutrition_records_upload_params_remove_metadata. Fails, without changing the parameters, if the file cannot be read or its
/// metadata cannot be removed.
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
        params.value = read(READ_TIMEOUT, file.into_image())?.set(params.value.clone());
        Ok(())
    })
}

/// Creates parameters of `vitalwire_client_lab_reports_upload` from a document file. The file is read once, by this function, for at most
/// 4 minutes. `filename` is sent to the service. If its `data` is NULL, the name of the file is sent, which may be personal.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_lab_reports_upload_params_from_file(
    path: vitalwire_str,
    filename: vitalwire_str,
    out: Option<&mut MaybeUninit<Box<vitalwire_lab_reports_upload_params>>>,
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
) -> vitalwire_code {
    attempt(error, || {
        let out = present(out, "out")?;
        let mut arguments = Arguments::default();
        let name = arguments.optional_text("filename", &filename);
        arguments.check()?;
        let file = file(&path)?;
        let file = match name {
            Some(name) => file.with_filename(name),
            None => file,
        };
        let value = read(READ_TIMEOUT, file.into_document())?.set(LabReportsUploadParams::new(Base64::default(), ""));
        out.write(owned(Params { value, arguments: Arguments::default() }));
        Ok(())
    })
}

/// Maximum time to read a file: the default timeout of an upload. Without it, a named pipe that nobody writes would never end.
const READ_TIMEOUT: Duration = Duration::from_secs(240);

fn read<T>(limit: Duration, file: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let outcome = block_on(async { timeout(limit, file).await })?;
    outcome.unwrap_or_else(|_| Err(Error::invalid_argument("path", "must be readable within 4 minutes")))
}

fn file(path: &vitalwire_str) -> Result<Upload, Error> {
    let mut arguments = Arguments::default();
    let path = arguments.text("path", path);
    arguments.check()?;
    Ok(Upload::path(path))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_named_pipe_without_a_writer_is_read_for_a_limited_time() {
        let pipe = std::env::temp_dir().join(format!("vitalwire-c-pipe-{}", std::process::id()));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        let error = read(Duration::from_millis(50), Upload::path(&pipe).into_document()).expect_err("nobody writes");
        assert_eq!((error.argument(), error.reason()), (Some("path"), Some("must be readable within 4 minutes")));
        std::fs::remove_file(pipe).expect("the pipe");
    }
}
