//! Filters for the Swift templates.

use minijinja::Environment;

use super::spelling;
use crate::ir::{Answer, Type};
use crate::templates::{doc, part, text};

/// Adds the filters to a template environment.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    text(environment, "swift_name", spelling::name);
    text(environment, "swift_plain", spelling::plain);
    part(environment, "swift_type", |ty: Type| spelling::ty(&ty));
    part(environment, "swift_answer", |answer: Answer| spelling::answer(&answer));
    doc(environment, "swift_doc", spelling::doc);
    doc(environment, "swift_line", spelling::line);
}
