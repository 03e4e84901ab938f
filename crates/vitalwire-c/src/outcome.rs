//! Conversion of results to codes and error details.

use std::mem::MaybeUninit;

use vitalwire::Error;

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;
use crate::guard::catch_panic;
use crate::handles::owned;

/// Runs a fallible function. Returns its code and writes error details to `error`.
pub(crate) fn attempt(error: Option<&mut MaybeUninit<Box<vitalwire_error>>>, work: impl FnOnce() -> Result<(), Error>) -> vitalwire_code {
    attempt_with(error, || Ok(work()?))
}

/// Like [`attempt`], for functions whose error type already has all details for C.
pub(crate) fn attempt_with(
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
    work: impl FnOnce() -> Result<(), vitalwire_error>,
) -> vitalwire_code {
    let Err(details) = catch_panic(work).map_err(Into::into).and_then(|result| result) else { return vitalwire_code::VITALWIRE_OK };
    let code = details.error.kind().into();
    if let Some(place) = error {
        place.write(owned(details));
    }
    code
}

#[cfg(test)]
mod tests {
    use vitalwire::ErrorKind;

    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error() {
        let code = attempt(None, || panic!("in a call"));
        assert_eq!(code, vitalwire_code::VITALWIRE_ERROR_INTERNAL);
    }

    #[test]
    fn an_error_keeps_its_code_and_success_has_none() {
        assert_eq!(attempt(None, || Err(Error::new(ErrorKind::Closed))), vitalwire_code::VITALWIRE_ERROR_CLOSED);
        assert_eq!(attempt(None, || Ok(())), vitalwire_code::VITALWIRE_OK);
        for kind in ErrorKind::ALL {
            assert_eq!(vitalwire_code::from(*kind) as u16, kind.code());
        }
    }
}
