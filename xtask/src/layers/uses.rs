//! Which module of a crate uses which: paths that begin with `crate`, tests aside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;

use super::graph::Graph;

/// The modules at the top of a crate, whose sources are in this folder.
pub(super) fn modules(source: &Path) -> anyhow::Result<Graph> {
    let root = ["lib.rs", "main.rs"].iter().map(|name| source.join(name)).find(|path| path.exists());
    let root = root.context("no lib.rs and no main.rs")?;
    let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path != root && name != "main" && name != "tests" {
            files.entry(name).or_default().push(path);
        }
    }
    let names: BTreeSet<&str> = files.keys().map(String::as_str).collect();
    let exports = exports(&fs::read_to_string(&root)?, &names)?;
    let mut graph = Graph::default();
    for (name, paths) in &files {
        graph.add(name);
        for path in paths {
            for text in below(path)? {
                for used in used(&text)? {
                    let module = names.get(used.as_str()).copied().or_else(|| exports.get(&used).map(String::as_str));
                    module.into_iter().for_each(|module| graph.uses(name, module));
                }
            }
        }
    }
    Ok(graph)
}

/// The texts of a file, or of the files below a folder, but of those that hold tests alone.
fn below(path: &Path) -> anyhow::Result<Vec<String>> {
    if path.is_file() {
        let rust = path.extension().is_some_and(|extension| extension == "rs") && path.file_stem().is_some_and(|name| name != "tests");
        return Ok(if rust { vec![fs::read_to_string(path)?] } else { Vec::new() });
    }
    let mut texts = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.file_name().is_none_or(|name| name != "tests") {
            texts.extend(below(&path)?);
        }
    }
    Ok(texts)
}

/// What the root gives out of its modules: name and module.
fn exports(root: &str, modules: &BTreeSet<&str>) -> anyhow::Result<BTreeMap<String, String>> {
    let mut exports = BTreeMap::new();
    for item in syn::parse_file(root)?.items {
        let syn::Item::Use(item) = item else { continue };
        let syn::UseTree::Path(path) = &item.tree else { continue };
        let module = path.ident.to_string();
        if modules.contains(module.as_str()) {
            names(path.tree.to_token_stream(), &mut |name| {
                exports.insert(name, module.clone());
            });
        }
    }
    Ok(exports)
}

/// The names that follow `crate::` in a file, without what is compiled for tests only.
fn used(text: &str) -> anyhow::Result<BTreeSet<String>> {
    let mut used = BTreeSet::new();
    for item in syn::parse_file(text)?.items {
        let tokens = item.to_token_stream();
        let head = tokens.to_string();
        if !head.starts_with("# [cfg (test)]") && !head.starts_with("# [cfg(test)]") {
            after_crate(tokens, &mut used);
        }
    }
    Ok(used)
}

/// Looks for `crate::name` and `crate::{name, …}`, within macros too.
fn after_crate(tokens: TokenStream, used: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => after_crate(group.stream(), used),
            TokenTree::Ident(ident) if ident == "crate" => match tokens.get(at + 3) {
                Some(TokenTree::Ident(name)) => {
                    used.insert(name.to_string());
                }
                Some(TokenTree::Group(group)) => firsts(group.stream(), used),
                _ => {}
            },
            _ => {}
        }
    }
}

/// The first name of each entry of a list of a `use`.
fn firsts(list: TokenStream, used: &mut BTreeSet<String>) {
    let mut first = true;
    for token in list {
        match &token {
            TokenTree::Ident(name) if first => {
                used.insert(name.to_string());
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                first = true;
                continue;
            }
            _ => {}
        }
        first = false;
    }
}

/// Every name in a tree of a `use`.
fn names(tree: TokenStream, found: &mut impl FnMut(String)) {
    for token in tree {
        match token {
            TokenTree::Ident(name) => found(name.to_string()),
            TokenTree::Group(group) => names(group.stream(), found),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_after_crate_are_found_wherever_they_stand() {
        let text = r#"
            use crate::{a::X, b::{Y, Z}, c};
            use crate::d::e;
            fn f() -> crate::g::H { wrap!(crate::i::J); }
            #[cfg(test)]
            mod tests { use crate::k; }
        "#;
        assert_eq!(used(text).unwrap().into_iter().collect::<Vec<_>>(), ["a", "b", "c", "d", "g", "i"]);
    }

    #[test]
    fn what_the_root_gives_out_leads_to_its_module() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        put("lib.rs", "mod error;\nmod sending;\npub use error::{Error, Kind};\n");
        put("error.rs", "use crate::sending::Sent;\n");
        put("sending.rs", "fn send() -> crate::Error { loop {} }\n");
        assert_eq!(modules(folder.path()).unwrap().circles(), [["error", "sending"]]);
    }
}
