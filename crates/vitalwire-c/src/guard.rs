//! Panics end here: no unwinding may enter a C frame.

use std::mem::MaybeUninit;

use vitalwire::{Error, boundary};

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;

/// Runs something; an internal error where it panicked. What it was changing belongs to a C object that stays valid Rust; at worst a
/// setting is lost.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // This crate's own tests fail with their texts.
    if !cfg!(test) {
        boundary::quiet_panics();
    }
    boundary::caught(work)
}

/// Runs something; `None` where it panicked.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    caught(work).ok()
}

/// Runs something that may fail, and gives its code; the details go where the caller wants them.
pub(crate) fn attempt(error: Option<&mut MaybeUninit<Box<vitalwire_error>>>, work: impl FnOnce() -> Result<(), Error>) -> vitalwire_code {
    attempt_with(error, || Ok(work()?))
}

/// The same of what fails with more than an error.
pub(crate) fn attempt_with(
    error: Option<&mut MaybeUninit<Box<vitalwire_error>>>,
    work: impl FnOnce() -> Result<(), vitalwire_error>,
) -> vitalwire_code {
    let Err(details) = caught(work).map_err(Into::into).and_then(|result| result) else { return vitalwire_code::VITALWIRE_OK };
    let code = details.error.kind().into();
    if let Some(place) = error {
        place.write(Box::new(details));
    }
    code
}

/// Refuses a NULL argument by its name.
pub(crate) fn present<T>(argument: Option<T>, name: &'static str) -> Result<T, Error> {
    argument.ok_or_else(|| Error::invalid_argument(name, "it is NULL"))
}

#[cfg(test)]
mod tests {
    use vitalwire::ErrorKind;

    use super::*;

    #[test]
    fn a_panic_becomes_an_internal_error() {
        let code = attempt(None, || panic!("in a call"));
        assert_eq!(code, vitalwire_code::VITALWIRE_ERROR_INTERNAL);
        assert!(catch(|| -> bool { panic!("in an accessor") }).is_none());
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
