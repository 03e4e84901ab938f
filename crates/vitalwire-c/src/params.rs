//! Parameters of calls, behind an opaque type for each operation.

use crate::given::{Given, Settings};
use crate::guard::catch;
use crate::kind::owned;

/// Parameters of an operation, and the first argument that a setter rejected.
#[derive(Clone)]
pub struct Params<T> {
    pub(crate) value: T,
    pub(crate) given: Given,
}

impl<T> Settings for Params<T> {
    type Value = T;

    fn parts(&mut self) -> (&mut T, &mut Given) {
        (&mut self.value, &mut self.given)
    }
}

/// Creates parameters from the required ones.
pub(crate) fn new<T: 'static>(make: impl FnOnce(&mut Given) -> T) -> Option<Box<Params<T>>> {
    catch(|| {
        let mut given = Given::default();
        let value = make(&mut given);
        owned(Params { value, given })
    })
}
