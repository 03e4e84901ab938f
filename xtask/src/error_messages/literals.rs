//! Error messages in Rust sources: string literals outside of attributes, tests and panics.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Functions and macros whose texts no caller of the library reads.
const PANICS: [&str; 8] = ["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "expect", "panic", "unreachable"];

/// Beginnings of the names of types and functions that create errors and hints.
const ERRORS: [&str; 9] = ["Err", "error", "map_err", "ok_or", "fail", "Fail", "hint", "bail", "ensure"];

/// Returns the messages of a file. With `in_errors`, takes only those within the arguments of a name in [`ERRORS`].
pub(super) fn messages(source: &str, in_errors: bool) -> anyhow::Result<BTreeSet<String>> {
    let tokens: TokenStream = source.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
    let mut messages = BTreeSet::new();
    collect(tokens, !in_errors, &mut messages);
    Ok(messages)
}

fn collect(tokens: TokenStream, within: bool, messages: &mut BTreeSet<String>) {
    let mut name = String::new();
    // Whether the path before a group, such as `Error::setting`, names something that creates errors.
    let mut creates = false;
    let mut in_path = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                tokens.next_if(|next| matches!(next, TokenTree::Punct(inner) if inner.as_char() == '!'));
                let attribute = tokens.next_if(|next| matches!(next, TokenTree::Group(_)));
                if attribute.is_some_and(|attribute| attribute.to_string().replace(' ', "") == "[cfg(test)]") {
                    skip_item(&mut tokens);
                }
            }
            TokenTree::Punct(punct) => {
                in_path = punct.as_char() == ':';
                creates &= in_path || punct.as_char() == '!';
            }
            TokenTree::Ident(ident) => {
                name = ident.to_string();
                creates = (creates && in_path) || ERRORS.iter().any(|begin| name.starts_with(begin));
            }
            TokenTree::Group(group) => {
                let panics = group.delimiter() == Delimiter::Parenthesis && PANICS.contains(&name.as_str());
                if !panics {
                    collect(group.stream(), within || creates, messages);
                }
            }
            TokenTree::Literal(literal) => {
                if within
                    && let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                    && super::is_message(&text.value())
                {
                    messages.insert(text.value());
                }
            }
        }
    }
}

/// Skips the rest of an item: up to its block or its semicolon.
fn skip_item(tokens: &mut impl Iterator<Item = TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            TokenTree::Punct(punct) if punct.as_char() == ';' => return,
            _ => {}
        }
    }
}
