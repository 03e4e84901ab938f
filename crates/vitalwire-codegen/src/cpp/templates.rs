//! The templates of C++, with the filters that they use.

use std::sync::LazyLock;

use super::filters;
use crate::c;
use crate::templates::Templates;

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[c::filters::add_to, filters::add_to]));
