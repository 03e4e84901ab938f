//! progenitor's operations, with our types and our runtime. What progenitor costs is in this folder and nowhere else:
//!
//! * `reduce`: it gets a reduced specification in which every schema is replaced by a type of ours, so it makes requests and no models.
//! * `rewrite`: its output becomes ours. The runtime's path is changed, path and header parameters are checked, the
//!   `api-version` header and the hooks nobody uses go away, and each resource gets a file of its own.
//! * [`Signatures`]: the order of its positional arguments is read from its output, since most are texts, and two swapped texts
//!   would compile.
//! * Its panics become findings; the lint should have had the cause first.
//!
//! At run time its price is the module `request` of the engine, which takes the place of its client library.

mod reduce;
mod rewrite;

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, anyhow};
use progenitor::{GenerationSettings, Generator, HooksMode, InterfaceStyle, TypeImpl};
use schemars::schema::SchemaObject;

use crate::file::File;
use crate::ir::{Ir, Service};
use crate::rust::templates::TEMPLATES;
use crate::spec::Sources;
pub(super) use rewrite::Signatures;

/// One folder per service, and the order of every method's arguments.
///
/// # Errors
/// Where progenitor refuses a specification.
pub(super) fn emit(ir: &Ir, sources: &Sources, root: &str) -> anyhow::Result<(Vec<File>, Signatures)> {
    let mut signatures = Signatures::new();
    let mut files = vec![TEMPLATES.file(format!("{root}/mod.rs"), "rust/http/mod.rs.j2", ir)?];
    for service in &ir.services {
        let title = sources.specs.iter().find(|spec| spec.service == service.name).map(|spec| spec.path).unwrap_or_default();
        files.extend(one(ir, service, root, &mut signatures).with_context(|| format!("generating the operations of {title}"))?);
    }
    Ok((files, signatures))
}

fn one(ir: &Ir, service: &Service, root: &str, signatures: &mut Signatures) -> anyhow::Result<Vec<File>> {
    let reduced = reduce::reduce(ir, service);
    let document: openapiv3::OpenAPI = serde_json::from_value(reduced.document).context("the reduced specification is no OpenAPI 3.0")?;
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Positional).with_hooks(HooksMode::Expected);
    settings.with_inner_type(quote::quote!(vitalwire_runtime::request::CallContext));
    for (name, path) in &reduced.replacements {
        settings.with_replacement(name, path, std::iter::empty());
    }
    for (key, path) in &reduced.conversions {
        let mut schema = SchemaObject { instance_type: Some(schemars::schema::InstanceType::String.into()), ..SchemaObject::default() };
        schema.extensions.insert(reduce::KEY.to_owned(), key.as_str().into());
        settings.with_conversion(schema, path, [TypeImpl::Display].into_iter());
    }
    // progenitor says no by panicking in places; our lint finds those first, and this keeps what it misses a message.
    let tokens = catch_unwind(AssertUnwindSafe(|| Generator::new(&settings).generate_tokens(&document)))
        .map_err(|_| anyhow!("progenitor panicked; the lint should have found the cause first"))??;
    rewrite::rewrite(tokens, ir, service, root, signatures)
}
