//! Operations made by progenitor, adapted to our types and runtime. All code that depends on progenitor is in this folder:
//!
//! * `reduce` replaces every schema of the specification by one of our types, so that progenitor generates requests and no models.
//! * `rewrite` adapts the output. It changes paths to our runtime, checks path and header parameters, removes the `api-version` header
//!   and unused hooks, and writes one file per resource.
//! * [`Signatures`] holds the order of positional arguments, read from the output. Most arguments are texts, so swapped ones would
//!   compile.
//! * Panics of progenitor become findings. The lint should have reported their cause before.
//!
//! At run time, the engine's module `request` replaces progenitor's client library.

mod reduce;
mod rewrite;

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, anyhow};
use progenitor::{GenerationSettings, Generator, HooksMode, InterfaceStyle, TypeImpl};
use schemars::schema::SchemaObject;
use serde_json::json;

use crate::file::File;
use crate::ir::{Ir, Service};
use crate::rust::filters::TEMPLATES;
use crate::spec::Sources;
pub(super) use rewrite::Signatures;

/// Returns a folder per service, and the order of every method's arguments.
///
/// # Errors
/// If progenitor rejects a specification.
pub(super) fn emit(ir: &Ir, sources: &Sources, root: &str) -> anyhow::Result<(Vec<File>, Signatures)> {
    let mut signatures = Signatures::new();
    let services: Vec<&String> = ir.services.iter().map(|service| &service.name).collect();
    let about = "Requests of every operation, one module per service.";
    let modules = json!({ "about": about, "module": "pub(crate) mod", "modules": services });
    let mut files = vec![TEMPLATES.file(format!("{root}/mod.rs"), "modules.rs.j2", modules)?];
    for service in &ir.services {
        let title = sources.specs.iter().find(|spec| spec.service == service.name).map(|spec| spec.path).unwrap_or_default();
        files.extend(service_files(ir, service, root, &mut signatures).with_context(|| format!("generating the operations of {title}"))?);
    }
    Ok((files, signatures))
}

fn service_files(ir: &Ir, service: &Service, root: &str, signatures: &mut Signatures) -> anyhow::Result<Vec<File>> {
    let reduced = reduce::reduce(ir, service);
    let document: openapiv3::OpenAPI =
        serde_json::from_value(reduced.document).context("the reduced specification must be valid OpenAPI 3.0")?;
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
    // progenitor panics on some unsupported input. The lint should catch it first; this turns the rest into an error.
    let tokens = catch_unwind(AssertUnwindSafe(|| Generator::new(&settings).generate_tokens(&document)))
        .map_err(|_| anyhow!("progenitor panicked; the lint should have found the cause first"))??;
    rewrite::rewrite(tokens, ir, service, root, signatures)
}
