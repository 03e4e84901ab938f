//! Finds dependencies between modules of a crate: paths that begin with `crate`, except in tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;

use super::graph::Graph;

/// The generated module. Each of its files is a separate module here, because they belong to different layers.
pub(super) const GENERATED: &str = "generated";

/// Returns the top-level modules of a crate with its sources in this folder.
pub(super) fn modules(source: &Path) -> anyhow::Result<Graph> {
    let root = ["lib.rs", "main.rs"].iter().map(|name| source.join(name)).find(|path| path.exists());
    let root = root.context("the crate has no lib.rs and no main.rs")?;
    let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in entries(source)?.into_iter().filter(|path| *path != root) {
        let name = file_stem(&path);
        match name.as_str() {
            "main" | "tests" => {}
            GENERATED if path.is_dir() => {
                for path in entries(&path)? {
                    let name = if file_stem(&path) == "mod" { GENERATED.to_owned() } else { format!("{GENERATED}::{}", file_stem(&path)) };
                    files.entry(name).or_default().push(path);
                }
            }
            _ => files.entry(name).or_default().push(path),
        }
    }
    let names: BTreeSet<&str> = files.keys().map(String::as_str).collect();
    let mut exports = exports(&fs::read_to_string(&root)?, &names)?;
    for (name, paths) in files.iter().filter(|(name, _)| name.starts_with(GENERATED)) {
        for path in paths {
            for text in read_sources(path)? {
                for item in item_names(&text)? {
                    exports.entry(item).or_insert_with(|| name.clone());
                }
            }
        }
    }
    let module = |used: &UsedPath| -> Option<&str> {
        let within = used.1.as_ref().filter(|_| used.0 == GENERATED);
        let file = within.and_then(|name| names.get(format!("{GENERATED}::{name}").as_str()).copied());
        let item = |name: &String| exports.get(name).map(String::as_str);
        file.or_else(|| within.and_then(item)).or_else(|| names.get(used.0.as_str()).copied()).or_else(|| item(&used.0))
    };
    let mut graph = Graph::default();
    for (name, paths) in &files {
        graph.add(name);
        for path in paths {
            let siblings = name.starts_with(GENERATED) && path.is_file();
            for text in read_sources(path)? {
                used_paths(&text, siblings)?.iter().filter_map(module).for_each(|module| graph.add_use(name, module));
            }
        }
    }
    Ok(graph)
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    Ok(fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?)
}

fn file_stem(path: &Path) -> String {
    path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned()
}

/// Returns the names of a file's own items.
fn item_names(text: &str) -> anyhow::Result<Vec<String>> {
    let name = |item| match item {
        syn::Item::Struct(it) => Some(it.ident),
        syn::Item::Enum(it) => Some(it.ident),
        syn::Item::Trait(it) => Some(it.ident),
        syn::Item::Type(it) => Some(it.ident),
        syn::Item::Fn(it) => Some(it.sig.ident),
        syn::Item::Const(it) => Some(it.ident),
        syn::Item::Static(it) => Some(it.ident),
        _ => None,
    };
    Ok(syn::parse_file(text)?.items.into_iter().filter_map(name).map(|name| name.to_string()).collect())
}

/// Returns the texts of a file, or of the files below a folder, except test-only files.
fn read_sources(path: &Path) -> anyhow::Result<Vec<String>> {
    if path.is_file() {
        let rust = path.extension().is_some_and(|extension| extension == "rs") && path.file_stem().is_some_and(|name| name != "tests");
        return Ok(if rust { vec![fs::read_to_string(path)?] } else { Vec::new() });
    }
    let mut texts = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.file_name().is_none_or(|name| name != "tests") {
            texts.extend(read_sources(&path)?);
        }
    }
    Ok(texts)
}

/// Returns the root's re-exports: name and module.
fn exports(root: &str, modules: &BTreeSet<&str>) -> anyhow::Result<BTreeMap<String, String>> {
    let mut exports = BTreeMap::new();
    for item in syn::parse_file(root)?.items {
        let syn::Item::Use(item) = item else { continue };
        let syn::UseTree::Path(path) = &item.tree else { continue };
        let module = path.ident.to_string();
        if modules.contains(module.as_str()) {
            collect_names(path.tree.to_token_stream(), &mut |name| {
                exports.insert(name, module.clone());
            });
        }
    }
    Ok(exports)
}

/// The name after `crate::`, and the name after that, if any.
type UsedPath = (String, Option<String>);

/// Returns the paths that a file uses, except in test-only code. For generated files, includes those of sibling files.
fn used_paths(text: &str, siblings: bool) -> anyhow::Result<BTreeSet<UsedPath>> {
    let mut used = BTreeSet::new();
    for item in syn::parse_file(text)?.items {
        let tokens = item.to_token_stream();
        let head = tokens.to_string();
        if !head.starts_with("# [cfg (test)]") && !head.starts_with("# [cfg(test)]") {
            collect_paths(tokens, siblings, &mut used);
        }
    }
    Ok(used)
}

/// Finds `crate::name` and `crate::{name, …}`, within macros too. For generated files, treats `super::name` as `crate::generated::name`.
fn collect_paths(tokens: TokenStream, siblings: bool, used: &mut BTreeSet<UsedPath>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => collect_paths(group.stream(), siblings, used),
            TokenTree::Ident(ident) if ident == "crate" => add_paths(tokens.get(at + 3..).unwrap_or_default(), used),
            TokenTree::Ident(ident) if siblings && ident == "super" => {
                let names = first_names(tokens.get(at + 3..).unwrap_or_default());
                used.extend(names.into_iter().map(|name| (GENERATED.to_owned(), Some(name))));
            }
            _ => {}
        }
    }
}

/// Returns the first two names of the path at the start, or of each path in a list.
fn add_paths(tokens: &[TokenTree], used: &mut BTreeSet<UsedPath>) {
    match tokens.first() {
        Some(TokenTree::Ident(name)) => {
            let goes_on = matches!(tokens.get(1), Some(TokenTree::Punct(colon)) if colon.as_char() == ':');
            let next = if goes_on { first_names(tokens.get(3..).unwrap_or_default()) } else { Vec::new() };
            if next.is_empty() {
                used.insert((name.to_string(), None));
            }
            used.extend(next.into_iter().map(|next| (name.to_string(), Some(next))));
        }
        Some(TokenTree::Group(group)) => list_entries(group.stream()).iter().for_each(|path| add_paths(path, used)),
        _ => {}
    }
}

/// Returns the first name of the path at the start, or of each path in a list.
fn first_names(tokens: &[TokenTree]) -> Vec<String> {
    match tokens.first() {
        Some(TokenTree::Ident(name)) => vec![name.to_string()],
        Some(TokenTree::Group(group)) => list_entries(group.stream()).iter().flat_map(|path| first_names(path)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the entries of a list in a `use`.
fn list_entries(list: TokenStream) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = list.into_iter().collect();
    let comma = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    tokens.split(comma).map(<[TokenTree]>::to_vec).collect()
}

fn collect_names(tree: TokenStream, found: &mut impl FnMut(String)) {
    for token in tree {
        match token {
            TokenTree::Ident(name) => found(name.to_string()),
            TokenTree::Group(group) => collect_names(group.stream(), found),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_begin_with_crate_are_found_everywhere() {
        let text = r#"
            use crate::{a::X, b::{Y, Z}, c};
            use crate::d::e;
            fn f() -> crate::g::H { wrap!(crate::i::J); }
            #[cfg(test)]
            mod tests { use crate::k; }
        "#;
        let found = used_paths(text, false).unwrap();
        let found: Vec<(&str, Option<&str>)> = found.iter().map(|(name, next)| (name.as_str(), next.as_deref())).collect();
        let expected = [("a", "X"), ("b", "Y"), ("b", "Z"), ("c", ""), ("d", "e"), ("g", "H"), ("i", "J")];
        assert_eq!(found, expected.map(|(name, next)| (name, Some(next).filter(|next| !next.is_empty()))));
    }

    /// Checks that only real cycles are found: one generated file uses `error`, and `error` uses another one.
    #[test]
    fn each_generated_file_is_a_module() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("generated")).unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        put("lib.rs", "mod error;\nmod generated;\npub use generated::*;\n");
        put("error.rs", "use crate::generated::code::Code;\n");
        put("generated/mod.rs", "mod calls;\nmod code;\npub use code::*;\n");
        put("generated/code.rs", "pub enum Code {}\n");
        put("generated/calls.rs", "use crate::error::Error;\n");
        assert!(modules(folder.path()).unwrap().cycles().is_empty());
        let cycle = [["error", "generated::calls", "generated::code"]];
        for round in ["use super::calls;\npub enum Code {}", "use super::{Call, x};\npub enum Code {}", "pub struct Code(crate::Call);"] {
            put("generated/code.rs", round);
            put("generated/calls.rs", "use crate::error::Error;\npub struct Call;\n");
            assert_eq!(modules(folder.path()).unwrap().cycles(), cycle, "{round}");
        }
    }

    #[test]
    fn a_re_export_of_the_root_counts_as_a_use_of_its_module() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        put("lib.rs", "mod error;\nmod sending;\npub use error::{Error, Kind};\n");
        put("error.rs", "use crate::sending::Sent;\n");
        put("sending.rs", "fn send() -> crate::Error { loop {} }\n");
        assert_eq!(modules(folder.path()).unwrap().cycles(), [["error", "sending"]]);
    }
}
