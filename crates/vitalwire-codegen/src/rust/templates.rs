//! The templates of Rust, with the filters that they use.

use std::sync::LazyLock;

use super::filters;
use crate::templates::Templates;

pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[filters::add_to]));
