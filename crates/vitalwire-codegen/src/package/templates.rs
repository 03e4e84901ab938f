//! The templates of packages, with the filters that they use.

use std::sync::LazyLock;

use crate::templates::Templates;

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[]));
