//! The templates of uniffi, with the filters that they use.

use std::sync::LazyLock;

use super::convert;
use crate::rust;
use crate::templates::Templates;

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[rust::filters::add_to, convert::add_to]));
