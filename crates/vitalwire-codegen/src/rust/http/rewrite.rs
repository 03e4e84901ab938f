//! Rewrites the Rust code that progenitor generates.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use quote::{ToTokens, quote};
use serde_json::json;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, File as RustFile, ImplItem, Item, Stmt, parse_quote};

use crate::file::File;
use crate::ir::{Ir, Service};
use crate::rust::filters::TEMPLATES;

/// Argument names of each method in progenitor's order, by operation id.
///
/// Read from the output instead of assumed: most arguments are texts, so a wrong order would compile.
pub(in super::super) type Signatures = BTreeMap<String, Vec<String>>;

/// Rewrites the output for a service into one file for the client and one per resource.
///
/// # Errors
/// If the output does not have the expected shape.
pub(super) fn rewrite(
    tokens: impl ToTokens,
    ir: &Ir,
    service: &Service,
    root: &str,
    signatures: &mut Signatures,
) -> anyhow::Result<Vec<File>> {
    let mut file: RustFile = syn::parse2(tokens.into_token_stream()).context("progenitor's output is not valid Rust")?;
    Pass::default().visit_file_mut(&mut file);
    let mut methods = Vec::new();
    for item in &mut file.items {
        if let Item::Impl(block) = item
            && block.trait_.is_none()
        {
            methods.extend(block.items.drain(..).filter_map(|item| match item {
                ImplItem::Fn(method) if method.sig.asyncness.is_some() => Some(method),
                _ => None,
            }));
        }
    }
    let folder = format!("{root}/{}", service.name);
    let mut groups = Vec::new();
    let mut files = Vec::new();
    for group in ir.groups() {
        let mut items = Vec::new();
        for operation in ir.operations.iter().filter(|operation| operation.service == service.name && operation.group == group) {
            let at = methods.iter().position(|method| method.sig.ident == operation.id);
            let Some(at) = at else { bail!("progenitor generated no method `{}`", operation.id) };
            let mut method = methods.swap_remove(at);
            // rustdoc would take progenitor's indented text for a code example.
            let about = format!(" `{}.{}`: `{} {}`.", operation.group, operation.method, operation.http, operation.path);
            method.attrs = vec![parse_quote!(#[doc = #about])];
            signatures.insert(operation.id.clone(), argument_names(&method));
            items.push(method);
        }
        if items.is_empty() {
            continue;
        }
        let methods = print(quote!(impl Client { #(#items)* }))?;
        let values = json!({ "group": group, "methods": methods });
        files.push(TEMPLATES.file(format!("{folder}/{group}.rs"), "rust/http/resource.rs.j2", values)?);
        groups.push(group);
    }
    let values = json!({ "service": service.name, "groups": groups });
    files.push(TEMPLATES.file(format!("{folder}/mod.rs"), "rust/http/service.rs.j2", values)?);
    Ok(files)
}

fn print(tokens: proc_macro2::TokenStream) -> anyhow::Result<String> {
    Ok(prettyplease::unparse(&syn::parse2(tokens).context("the rewritten output is not valid Rust")?))
}

/// Changes that apply everywhere.
#[derive(Default)]
struct Pass {
    /// Whether the current method has header parameters.
    headers: bool,
}

impl VisitMut for Pass {
    fn visit_impl_item_fn_mut(&mut self, method: &mut syn::ImplItemFn) {
        // Only header values are converted by `try_into`.
        self.headers = method.block.to_token_stream().to_string().contains("try_into");
        visit_mut::visit_impl_item_fn_mut(self, method);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        if path.segments.first().is_some_and(|first| first.ident == "progenitor_client") {
            let rest = path.segments.iter().skip(1);
            *path = parse_quote!(vitalwire_runtime::request::#(#rest)::*);
        } else if path.segments.len() > 1 && path.segments.first().is_some_and(|first| first.ident == "reqwest") {
            let rest = path.segments.iter();
            *path = parse_quote!(vitalwire_runtime::#(#rest)::*);
        }
    }

    fn visit_visibility_mut(&mut self, visibility: &mut syn::Visibility) {
        if matches!(visibility, syn::Visibility::Public(_)) {
            *visibility = parse_quote!(pub(crate));
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        block.stmts.retain(|statement| !is_unwanted(statement, self.headers));
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            // Reject path parameters that would change the path.
            Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if path.path.is_ident("encode_path")) => {
                let name = argument_name(call);
                let arguments = &call.args;
                *expr = parse_quote!(encode_path(#name, #arguments)?);
            }
            // progenitor serializes into a growing buffer, which takes three times the memory of an image.
            Expr::MethodCall(call) if call.method == "json" => {
                let (receiver, value) = (&call.receiver, &call.args);
                *expr = parse_quote!(#receiver
                    .header(
                        vitalwire_runtime::reqwest::header::CONTENT_TYPE,
                        vitalwire_runtime::reqwest::header::HeaderValue::from_static("application/json"),
                    )
                    .body(json_body(#value)?));
            }
            Expr::Macro(call) => {
                if let Some(path) = below_base_url(&call.mac) {
                    *expr = parse_quote!(self.inner.address(#path)?);
                }
            }
            // Without header parameters, progenitor's header map holds only `api-version`.
            Expr::MethodCall(call) if call.method == "headers" && !self.headers => *expr = (*call.receiver).clone(),
            Expr::MethodCall(call) if call.method == "append" && is_header_map(&call.receiver) => {
                if let (Some(Expr::Lit(name)), Some(text)) = (call.args.first(), call.args.last().and_then(header_text)) {
                    *expr = parse_quote!(header_map.append(#name, vitalwire_runtime::request::header_value(#name, #text)?));
                }
            }
            _ => {}
        }
    }

    /// Visits the arguments of `format!`, which the visitor otherwise sees as plain tokens.
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if mac.path.is_ident("format")
            && let Ok(mut arguments) = mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated)
        {
            arguments.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
            mac.tokens = arguments.to_token_stream();
        }
    }
}

/// Returns the path of `format!("{}/path", self.baseurl, ..)`. The base URL is parsed once when the client is built, not in every request.
fn below_base_url(mac: &syn::Macro) -> Option<Expr> {
    let arguments = mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated).ok()?;
    let mut arguments = arguments.into_iter();
    let (Some(Expr::Lit(format)), Some(Expr::Field(base))) = (arguments.next(), arguments.next()) else { return None };
    let (syn::Lit::Str(format), syn::Member::Named(member)) = (&format.lit, &base.member) else { return None };
    let path = format.value().strip_prefix("{}").filter(|_| member == "baseurl")?.to_owned();
    let arguments: Vec<Expr> = arguments.collect();
    Some(if arguments.is_empty() { parse_quote!(#path) } else { parse_quote!(&format!(#path, #(#arguments),*)) })
}

/// Whether a statement is unused: `api-version`, its header map without header parameters, or the hooks around sending. Our runtime's
/// `exec` replaces the hooks.
fn is_unwanted(statement: &Stmt, headers: bool) -> bool {
    let text = statement.to_token_stream().to_string();
    ["self . pre (", "self . post ("].iter().any(|start| text.starts_with(start))
        || (text.starts_with("header_map . append") && text.contains("\"api-version\""))
        || (!headers && text.starts_with("let mut header_map"))
}

fn is_header_map(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("header_map"))
}

/// Returns `value.to_string()` from `value.to_string().try_into()?`.
fn header_text(expr: &Expr) -> Option<&Expr> {
    let Expr::Try(tried) = expr else { return None };
    match &*tried.expr {
        Expr::MethodCall(call) if call.method == "try_into" => Some(&call.receiver),
        _ => None,
    }
}

fn argument_names(method: &syn::ImplItemFn) -> Vec<String> {
    let names = method.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(argument) => Some(argument.pat.to_token_stream().to_string()),
        syn::FnArg::Receiver(_) => None,
    });
    names.collect()
}

/// Returns `sleep_id` from `encode_path(&sleep_id.to_string())`, for error messages.
fn argument_name(call: &syn::ExprCall) -> String {
    let text = call.args.to_token_stream().to_string();
    text.trim_start_matches(['&', ' ']).split(['.', ' ']).next().unwrap_or_default().to_owned()
}
