//! Parser for the wrapper's source. It finds the module of each declaration, which cbindgen's text does not state.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;

/// Module with aliases of the core's types.
const TYPES: &str = "generated::types";

/// Declarations in the wrapper's source.
#[derive(Default)]
pub(super) struct Source {
    /// Exported functions with their modules, such as `generated::calls::sleeps`.
    pub(super) functions: BTreeMap<String, String>,
    /// Types with their modules, except those of the core.
    pub(super) types: BTreeMap<String, String>,
    /// Lines of documentation of each module.
    pub(super) modules: BTreeMap<String, Vec<String>>,
    /// Names of the core's types, in their order.
    pub(super) aliases: Vec<Alias>,
    /// Functions that no header declares, because they need a feature or are `#[doc(hidden)]`.
    pub(super) hidden: Vec<String>,
}

/// An incomplete type.
pub(super) struct Alias {
    pub(super) name: String,
    /// Lines of its documentation.
    pub(super) docs: Vec<String>,
}

impl Source {
    /// Parses a crate.
    ///
    /// # Errors
    /// If a file is not valid Rust.
    pub(super) fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut source = Self::default();
        source.read_module(&folder.join("src/lib.rs"), &folder.join("src"), "", false)?;
        Ok(source)
    }

    /// Collects the declarations of a module and its submodules.
    fn read_module(&mut self, file: &Path, below: &Path, module: &str, behind_feature: bool) -> anyhow::Result<()> {
        let file = parse(file)?;
        self.modules.insert(module.to_owned(), docs(&file.attrs));
        for item in file.items {
            match item {
                syn::Item::Fn(function) if function.sig.abi.is_some() => {
                    let name = function.sig.ident.to_string();
                    if behind_feature || function.attrs.iter().any(is_hidden) {
                        self.hidden.push(name);
                    } else {
                        self.functions.insert(name, module.to_owned());
                    }
                }
                syn::Item::Type(alias) if module == TYPES => {
                    self.aliases.push(Alias { name: alias.ident.to_string(), docs: docs(&alias.attrs) });
                }
                syn::Item::Type(syn::ItemType { ident, .. })
                | syn::Item::Struct(syn::ItemStruct { ident, .. })
                | syn::Item::Enum(syn::ItemEnum { ident, .. }) => {
                    self.types.insert(ident.to_string(), module.to_owned());
                }
                syn::Item::Mod(inner) if inner.content.is_none() => {
                    let name = inner.ident.to_string();
                    let folder = below.join(&name);
                    let flat = below.join(format!("{name}.rs"));
                    let file = if flat.exists() { flat } else { folder.join("mod.rs") };
                    let conditional = inner.attrs.iter().any(is_test_only);
                    let path = if module.is_empty() { name } else { format!("{module}::{name}") };
                    self.read_module(&file, &folder, &path, behind_feature || conditional)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether an attribute is `#[doc(hidden)]`.
fn is_hidden(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("doc") && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string() == "hidden")
}

/// Whether an attribute makes an item test-only. Releases have all other features.
fn is_test_only(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("__"))
}

fn docs(attributes: &[syn::Attribute]) -> Vec<String> {
    let line = |attribute: &syn::Attribute| match &attribute.meta {
        syn::Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }), .. })
            if path.is_ident("doc") =>
        {
            let line = line.value();
            Some(line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned())
        }
        _ => None,
    };
    attributes.iter().filter_map(line).collect()
}

fn parse(path: &Path) -> anyhow::Result<syn::File> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    syn::parse_file(&text).with_context(|| format!("parsing {}", path.display()))
}
