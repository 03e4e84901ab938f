//! The C header, from the Rust source of the C wrapper.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use cbindgen::{Builder, Config};

use crate::versions::workspace;
use vitalwire_codegen::emit::File;

/// The wrapper.
const CRATE: &str = "crates/vitalwire-c";
/// Aliases of the core's types. C gets them as incomplete types, which cbindgen could not make: it would ask for the core's source.
const TYPES: &str = "src/generated/types.rs";
/// Where the header says its version: before what it includes.
const BEFORE_VERSION: &str = "#include <stdbool.h>\n";
/// What is made.
const HEADER: &str = "bindings/c/include/vitalwire.h";

/// Makes the header. No macro is expanded and no other crate is read, so a stable toolchain is enough.
///
/// # Errors
/// Where the source is no Rust, or has an exported function that did not come through.
pub(crate) fn header(root: &Path) -> anyhow::Result<File> {
    let folder = root.join(CRATE);
    let mut config = Config::from_file(folder.join("cbindgen.toml")).map_err(|text| anyhow!("{CRATE}/cbindgen.toml: {text}"))?;
    let types = aliases(parse(&folder.join(TYPES))?);
    config.export.exclude = types.iter().map(|alias| alias.ident.to_string()).collect();
    config.after_includes = Some(types.iter().map(declaration).collect());
    let library = folder.join("src/lib.rs");
    let mut functions = Vec::new();
    exported(&library, &folder.join("src"), false, &mut functions)?;
    // What needs a feature is not in what is shipped.
    let hidden = functions.extract_if(.., |function| function.behind_feature);
    config.export.exclude.extend(hidden.map(|function| function.name));
    // It follows the modules of one file; asking for the crate would run `cargo metadata` and read what it depends on.
    let bindings = Builder::new().with_config(config).with_src(library).generate().context("running cbindgen")?;
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = String::from_utf8(text).context("the header is not UTF-8")?;
    // A function that cbindgen does not understand is left out with a warning: nobody would miss it before linking.
    if let Some(name) = functions.iter().map(|function| &function.name).find(|name| text.matches(&format!("{name}(")).count() != 1) {
        bail!("cbindgen did not write `{name}` once");
    }
    let Some((before, after)) = text.split_once(BEFORE_VERSION) else { bail!("cbindgen does not begin as it used to") };
    Ok(File::new(HEADER, [before, &version(&workspace(root)?)?, "\n", BEFORE_VERSION, after].concat()))
}

/// The macros that say which version the header is of.
fn version(version: &str) -> anyhow::Result<String> {
    let numbers: Vec<&str> = version.split('.').collect();
    let [major, minor, patch] = numbers[..] else { bail!("a version of three numbers is wanted, not {version}") };
    Ok(format!(
        "/**\n * The version of this header, as a text and in numbers. `vitalwire_version` says the library's.\n */\n\
         #define VITALWIRE_VERSION \"{version}\"\n#define VITALWIRE_VERSION_MAJOR {major}\n#define VITALWIRE_VERSION_MINOR {minor}\n\
         #define VITALWIRE_VERSION_PATCH {patch}\n\n\
         /**\n * Whether the library is of this header's version. While that is 0.x, no other fits: ask before any other call where the library is\n\
         \x20* loaded by name. Programs that were linked with the shared library find no other.\n */\n\
         #define VITALWIRE_VERSION_MATCHES() vitalwire_str_equals(vitalwire_version(), VITALWIRE_VERSION)\n"
    ))
}

fn aliases(types: syn::File) -> Vec<syn::ItemType> {
    types.items.into_iter().filter_map(|item| if let syn::Item::Type(alias) = item { Some(alias) } else { None }).collect()
}

/// `typedef struct x x;` with its documentation.
fn declaration(alias: &syn::ItemType) -> String {
    let name = &alias.ident;
    let lines: String = docs(&alias.attrs).iter().map(|line| format!(" *{line}").trim_end().to_owned() + "\n").collect();
    format!("\n/**\n{lines} */\ntypedef struct {name} {name};\n")
}

fn docs(attributes: &[syn::Attribute]) -> Vec<String> {
    let line =
        |attribute: &syn::Attribute| match &attribute.meta {
            syn::Meta::NameValue(syn::MetaNameValue {
                path, value: syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }), ..
            }) if path.is_ident("doc") => Some(line.value()),
            _ => None,
        };
    attributes.iter().filter_map(line).collect()
}

fn parse(path: &Path) -> anyhow::Result<syn::File> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    syn::parse_file(&text).with_context(|| format!("parsing {}", path.display()))
}

/// A function that is exported.
struct Exported {
    name: String,
    behind_feature: bool,
}

/// The functions that a module and the modules below it export.
fn exported(file: &Path, below: &Path, behind_feature: bool, functions: &mut Vec<Exported>) -> anyhow::Result<()> {
    for item in parse(file)?.items {
        match item {
            syn::Item::Fn(function) if function.sig.abi.is_some() => {
                functions.push(Exported { name: function.sig.ident.to_string(), behind_feature });
            }
            syn::Item::Mod(module) if module.content.is_none() => {
                let name = module.ident.to_string();
                let inner = below.join(&name);
                let beside = below.join(format!("{name}.rs"));
                let file = if beside.exists() { beside } else { inner.join("mod.rs") };
                let conditional = module.attrs.iter().any(|attribute| attribute.path().is_ident("cfg"));
                exported(&file, &inner, behind_feature || conditional, functions)?;
            }
            _ => {}
        }
    }
    Ok(())
}
