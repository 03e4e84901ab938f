//! Parameters of calls, behind an opaque type for each operation.

use crate::arguments::{Arguments, Settings};
use crate::guard::catch;
use crate::handles::owned;

/// Parameters of an operation, and the first argument that a setter rejected.
#[derive(Clone)]
pub struct Params<T> {
    pub(crate) value: T,
    pub(crate) arguments: Arguments,
}

impl<T> Settings for Params<T> {
    type Value = T;

    fn parts(&mut self) -> (&mut T, &mut Arguments) {
        (&mut self.value, &mut self.arguments)
    }
}

/// Creates parameters with the required values.
pub(crate) fn new<T: 'static>(make: impl FnOnce(&mut Arguments) -> T) -> Option<Box<Params<T>>> {
    catch(|| {
        let mut arguments = Arguments::default();
        let value = make(&mut arguments);
        owned(Params { value, arguments })
    })
}
