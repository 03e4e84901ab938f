//! Filters for the Swift templates.

use std::sync::LazyLock;

use minijinja::Environment;

use super::spelling;
use crate::filters::{add_doc_filter, add_text_filter};
use crate::templates::Templates;

/// The templates of this folder.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[crate::rust::filters::add_to, add_to]));

/// Adds the filters to a template environment.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    add_text_filter(environment, "swift_name", spelling::name);
    add_text_filter(environment, "swift_plain", spelling::plain);
    add_doc_filter(environment, "swift_doc", spelling::doc);
    add_doc_filter(environment, "swift_line", spelling::line);
}
