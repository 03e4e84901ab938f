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

/// A function of the application's that is told of something, with its user data.
pub(crate) struct Observer<T> {
    function: extern "C" fn(*mut c_void, &T),
    user_data: UserData,
}

impl<T> Observer<T> {
    /// Takes over the user data, which ends at once without a function.
    pub(crate) fn new(
        function: Option<extern "C" fn(*mut c_void, &T)>,
        user_data: *mut c_void,
        destructor: vitalwire_destructor,
    ) -> Option<Self> {
        let user_data = UserData::new(user_data, destructor);
        function.map(|function| Self { function, user_data })
    }

    pub(crate) fn call(&self, event: &T) {
        (self.function)(self.user_data.get(), event);
    }
}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(destructor) = self.destructor {
            destructor(self.get());
        }
    }
}
