//! Panics end here: no unwinding may enter a C frame.

use vitalwire::{Error, boundary};

use crate::kind::{self, Handle};

/// Runs something; an internal error where it panicked. What it was changing belongs to a C object that stays valid Rust; at worst a
/// setting is lost.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
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

/// Copies an object for the caller, who frees it; nothing of nothing.
pub(crate) fn copied<T: Clone + 'static>(object: Option<&T>) -> Option<Box<T>> {
    let object = kind::known(object)?;
    catch(|| kind::owned(object.clone()))
}

/// Frees an object and all that lies in it.
pub(crate) fn free<T: 'static>(object: Option<Box<T>>) {
    let Some(object) = kind::known(object) else { return };
    kind::gone(&*object);
    catch(|| drop(object));
}

/// Refuses a NULL argument by its name.
pub(crate) fn present<T>(argument: Option<T>, name: &'static str) -> Result<T, Error> {
    argument.ok_or_else(|| Error::invalid_argument(name, "it is NULL"))
}

/// Refuses a handle that is NULL or none of its kind, by its name.
pub(crate) fn handle<H: Handle>(argument: Option<H>, name: &'static str) -> Result<H, Error> {
    present(optional(argument, name)?, name)
}

/// The same of one that may be NULL.
pub(crate) fn optional<H: Handle>(argument: Option<H>, name: &'static str) -> Result<Option<H>, Error> {
    kind::checked(argument).map_err(|stranger| Error::invalid_argument(name, stranger.reason()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_leaves_nothing() {
        assert!(catch(|| -> bool { panic!("in an accessor") }).is_none());
    }
}
