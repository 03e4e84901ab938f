//! The templates of the sandbox, with the filters that they use.

use std::sync::LazyLock;

use crate::rust;
use crate::templates::Templates;

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[rust::filters::add_to]));
