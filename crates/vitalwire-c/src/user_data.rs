//! User data pointers of callbacks. This library never dereferences them.

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Releases user data. Called once, on any thread, when the library no longer uses the pointer, even if the function that received the
/// pointer failed. Must not make calls. NULL if nothing needs to be released.
pub type vitalwire_destructor = Option<extern "C" fn(user_data: *mut c_void)>;

/// A pointer and the destructor that is called when it is no longer used.
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

/// An observer callback and its user data.
pub(crate) struct Observer<T> {
    function: extern "C" fn(*mut c_void, &T),
    user_data: UserData,
}

impl<T> Observer<T> {
    /// Takes ownership of the user data. Without a function, runs the destructor at once.
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
