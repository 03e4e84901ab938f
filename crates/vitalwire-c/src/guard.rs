//! Panic and argument guards: no unwinding may enter a C frame.

use vitalwire::{Error, boundary};

use crate::handles::{self, Handle};

/// Runs `work` and converts a panic to an internal error. An object that `work` was changing stays valid; at worst, a setting is lost.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // Tests of this crate need the panic message.
    if !cfg!(test) {
        boundary::hide_panic_messages();
    }
    boundary::catch_panic(work)
}

/// Runs `work`. Returns `None` after a panic.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_panic(work).ok()
}

/// Clones an object for the caller, who frees it. Returns `None` for `None`.
pub(crate) fn clone_object<T: Clone + 'static>(object: Option<&T>) -> Option<Box<T>> {
    let object = handles::valid(object)?;
    catch(|| handles::owned(object.clone()))
}

/// Frees an object and everything in it.
pub(crate) fn free<T: 'static>(object: Option<Box<T>>) {
    let Some(object) = handles::valid(object) else { return };
    handles::unregister(&*object);
    catch(|| drop(object));
}

/// Rejects a NULL argument by its name.
pub(crate) fn present<T>(argument: Option<T>, name: &'static str) -> Result<T, Error> {
    argument.ok_or_else(|| Error::invalid_argument(name, "must not be NULL"))
}

/// Rejects a handle that is NULL or invalid, by its name.
pub(crate) fn handle<H: Handle>(argument: Option<H>, name: &'static str) -> Result<H, Error> {
    present(optional(argument, name)?, name)
}

/// Rejects an invalid handle by its name. NULL is allowed.
pub(crate) fn optional<H: Handle>(argument: Option<H>, name: &'static str) -> Result<Option<H>, Error> {
    handles::check(argument).map_err(|invalid| Error::invalid_argument(name, invalid.reason()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_returns_none() {
        assert!(catch(|| -> bool { panic!("in an accessor") }).is_none());
    }
}
