//! The kinds of error, read from the core's one table.

use std::path::Path;

use anyhow::{Context, bail};

use super::{Docs, ErrorKind};
use crate::naming::snake;

/// Where the table is.
const TABLE: &str = "crates/vitalwire-runtime/src/error/kind.rs";

/// Reads the variants of `ErrorKind` with their numbers and documentation.
///
/// # Errors
/// Where the file is not what this expects.
pub fn error_kinds(root: &Path) -> anyhow::Result<Vec<ErrorKind>> {
    let text = std::fs::read_to_string(root.join(TABLE)).with_context(|| format!("reading {TABLE}"))?;
    let file = syn::parse_file(&text).with_context(|| format!("parsing {TABLE}"))?;
    let table = file.items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == "ErrorKind" => Some(item),
        _ => None,
    });
    let Some(table) = table else { bail!("{TABLE} has no enum ErrorKind") };
    table.variants.iter().map(kind).collect()
}

fn kind(variant: &syn::Variant) -> anyhow::Result<ErrorKind> {
    let name = variant.ident.to_string();
    let code = match &variant.discriminant {
        Some((_, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(code), .. }))) => code.base10_parse()?,
        _ => bail!("ErrorKind::{name} has no number"),
    };
    let lines =
        variant.attrs.iter().filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(syn::MetaNameValue {
                path, value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }), ..
            }) if path.is_ident("doc") => Some(line.value().trim().to_owned()),
            _ => None,
        });
    let text = lines.collect::<Vec<_>>().join(" ");
    // A link to a Rust item says nothing in another language.
    let text = match (text.find("[`Error::"), text.find("](")) {
        (Some(from), Some(to)) => {
            let end = text[to..].find(')').map_or(text.len(), |at| to + at + 1);
            let item = text[from + 2..to].trim_matches('`').trim_start_matches("Error::").to_owned();
            format!("{}`{item}`{}", &text[..from], &text[end..])
        }
        _ => text,
    };
    Ok(ErrorKind { name: snake(&name), code, docs: Docs { text, ..Docs::default() } })
}
