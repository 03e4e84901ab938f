//! Pointers of the application's that its functions get back. They are never followed here.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Ends the life of what user data leads to; NULL where nothing is to end. It is called once, when nothing of the library uses it any more,
/// also where the function that was given it refuses something. It may be called on any thread and makes no call.
pub type vitalwire_destructor = Option<extern "C" fn(user_data: *mut c_void)>;

/// A pointer, and what is called with it once, when nothing uses it any more.
pub(crate) struct UserData {
    pointer: AtomicPtr<c_void>,
    destructor: vitalwire_destructor,
}

impl UserData {
    pub(crate) fn new(pointer: *mut c_void, destructor: vitalwire_destructor) -> Self {
        Self { pointer: AtomicPtr::new(pointer), destructor }
    }

    pub(crate) fn get(&self) -> *mut c_void {
        self.pointer.load(Ordering::Relaxed)
    }
}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(destructor) = self.destructor {
            destructor(self.get());
        }
    }
}
