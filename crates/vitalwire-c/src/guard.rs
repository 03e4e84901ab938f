//! Panics end here: no unwinding may enter a C frame.

use std::io::Write;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use vitalwire::Error;

use crate::error::vitalwire_error;
use crate::generated::code::vitalwire_code;

/// Says where the library failed and not with what text, which could hold anything. Once for the process: the library has a
/// standard library of its own, so no other library's panics are touched. Not in this crate's own tests, whose failures have texts.
fn quiet_panics() {
    static INSTALLED: Once = Once::new();
    if cfg!(test) {
        return;
    }
    INSTALLED.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
            let _ = writeln!(std::io::stderr(), "vitalwire: internal error{place}");
        }));
    });
}

/// Runs something; `None` where it panicked.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    quiet_panics();
    // Unwind safety: whatever the closure was changing belongs to a C object that stays valid Rust; at worst a setting is lost.
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// Runs something that may fail, and gives its code; the details go where the caller wants them.
pub(crate) fn attempt(error: Option<&mut MaybeUninit<Box<vitalwire_error>>>, work: impl FnOnce() -> Result<(), Error>) -> vitalwire_code {
    let result = catch(work).unwrap_or_else(|| Err(Error::internal("a panic was caught at the boundary to C")));
    let Err(details) = result else { return vitalwire_code::VITALWIRE_OK };
    let code = details.kind().into();
    if let Some(place) = error {
        place.write(Box::new(vitalwire_error::new(details)));
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
