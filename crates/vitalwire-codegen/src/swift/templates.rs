//! The templates of Swift, with the filters that they use.

use std::sync::LazyLock;

use super::filters;
use crate::rust;
use crate::templates::Templates;

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[rust::filters::add_to, filters::add_to]));
