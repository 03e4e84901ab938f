//! Parameters of a call, behind each operation's own opaque type.

use crate::given::{Given, Settings};
use crate::guard::catch;
use crate::kind::owned;

/// An operation's parameters, and the first argument that was refused on the way in.
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

/// Makes parameters from the required ones.
pub(crate) fn new<T: 'static>(make: impl FnOnce(&mut Given) -> T) -> Option<Box<Params<T>>> {
    catch(|| {
        let mut given = Given::default();
        let value = make(&mut given);
        owned(Params { value, given })
    })
}
