//! Reads the error kinds from the engine's table.

use std::path::Path;

use anyhow::{Context, bail};
use syn::Token;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;

use super::{Docs, ErrorKind};

/// File with the table.
const TABLE: &str = "crates/vitalwire-runtime/src/error/kind.rs";

/// Name of the macro whose rows form the table.
const MACRO: &str = "error_kinds";

/// Reads the rows of the table: names, numbers and documentation.
///
/// # Errors
/// If the file has no such table, or a row has an unexpected form.
pub fn error_kinds(root: &Path) -> anyhow::Result<Vec<ErrorKind>> {
    let text = std::fs::read_to_string(root.join(TABLE)).with_context(|| format!("reading {TABLE}"))?;
    let file = syn::parse_file(&text).with_context(|| format!("parsing {TABLE}"))?;
    let table = file.items.into_iter().find_map(|item| match item {
        // The macro's definition has another name.
        syn::Item::Macro(item) if item.mac.path.is_ident(MACRO) => Some(item.mac),
        _ => None,
    });
    let Some(table) = table else { bail!("{TABLE} has no {MACRO}!") };
    let rows = table.parse_body_with(Punctuated::<Row, Token![;]>::parse_terminated);
    Ok(rows.with_context(|| format!("the rows of {MACRO}! in {TABLE}"))?.iter().map(kind).collect())
}

/// A row of the table, such as `/// Status 404.` and `NotFound = 1201, "not_found", Never`.
struct Row {
    docs: Vec<syn::Attribute>,
    code: u16,
    name: String,
}

impl Parse for Row {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let docs = input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Ident>()?;
        input.parse::<Token![=]>()?;
        let code = input.parse::<syn::LitInt>()?.base10_parse()?;
        input.parse::<Token![,]>()?;
        let name = input.parse::<syn::LitStr>()?.value();
        input.parse::<Token![,]>()?;
        input.parse::<syn::Ident>()?;
        Ok(Self { docs, code, name })
    }
}

fn kind(row: &Row) -> ErrorKind {
    let lines =
        row.docs.iter().filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(syn::MetaNameValue {
                path, value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }), ..
            }) if path.is_ident("doc") => Some(line.value().trim().to_owned()),
            _ => None,
        });
    let text = lines.collect::<Vec<_>>().join(" ");
    // A link to a Rust item has no meaning in other languages.
    let text = match (text.find("[`Error::"), text.find("](")) {
        (Some(from), Some(to)) => {
            let end = text[to..].find(')').map_or(text.len(), |at| to + at + 1);
            let item = text[from + 2..to].trim_matches('`').trim_start_matches("Error::").to_owned();
            format!("{}`{item}`{}", &text[..from], &text[end..])
        }
        _ => text,
    };
    ErrorKind { name: row.name.clone(), code: row.code, docs: Docs::new(text) }
}
