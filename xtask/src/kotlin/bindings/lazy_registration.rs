//! Deferred initialization of the bindings.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};

use super::prune;
use crate::uniffi::lines;

/// The object that declares the library's functions, and the prefix of functions that are not uniffi's own.
const LIBRARY: &str = "UniffiLib";
const FUNCTION: &str = "uniffi_vitalwire_uniffi_fn_";

/// Operations on a class. They precede the class's name in the name of a function.
const CLASS_OPERATIONS: [&str; 5] = ["method_", "clone_", "free_", "constructor_", "init_callback_vtable_"];
const TOP_LEVEL: &str = "func_";

/// Group of the functions for servers, and the start of their names.
const SERVER: &str = "server";

/// The class of clients, whose method names begin with the resource, and the function that is called first.
const CLIENT: &str = "nativeclient";
const FIRST_FUNCTION: &str = "func_abi_fingerprint";

/// Statement of the main object that registers a callback interface with the library.
const REGISTRATION: (&str, &str) = ("        uniffiCallbackInterface", ".register(this)");

/// Registers each callback interface before its first object is passed to the library, not when the library is loaded. Few applications
/// implement all of them, and each registration delays the first call.
///
/// # Errors
/// If nothing is registered, or an interface has no converter.
pub(super) fn register_lazily(text: &str) -> anyhow::Result<String> {
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(REGISTRATION.0)?.strip_suffix(REGISTRATION.1)).collect();
    ensure!(!names.is_empty(), "uniffi's output registers no callback interface; update REGISTRATION");
    let mut edited = text.to_owned();
    for name in names {
        edited = edited.replacen(&format!("{}{name}{}\n", REGISTRATION.0, REGISTRATION.1), "", 1);
        let map = format!("    internal val handleMap = UniffiHandleMap<{name}>()\n");
        let (before, after) =
            edited.split_once(&map).with_context(|| format!("uniffi's output has no handle map for objects of {name}"))?;
        let registering = format!("{}.also {{ uniffiCallbackInterface{name}.register(UniffiLib) }}\n", map.trim_end());
        edited = [before, &registering, after].concat();
    }
    Ok(edited)
}

/// Groups the library's functions by use into several objects. JNA binds all functions of an object when it is first used. In a fresh JVM
/// this takes longer than the rest of a call.
///
/// # Errors
/// If uniffi's output has no object `UniffiLib`, or no function to move.
pub(super) fn split_library_object(text: &str) -> anyhow::Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let start = format!("internal object {LIBRARY} {{");
    let at = lines.iter().position(|line| *line == start).context("uniffi's output has no object `UniffiLib`")?;
    let end = lines::end(&lines, at).context("the object `UniffiLib` has no closing brace")?;
    let (mut kept, mut parts) = (Vec::new(), BTreeMap::<&str, Vec<(&str, &str)>>::new());
    let mut object = lines[at..end].iter().copied();
    while let Some(line) = object.next() {
        match prune::declared_function(line).and_then(|name| Some((name, group_name(name)?))) {
            Some((name, part)) => {
                parts.entry(part).or_default().push((name, line));
                parts.entry(part).or_default().push(("", object.next().context("a function has no second line")?));
            }
            None => kept.push(line),
        }
    }
    ensure!(!parts.is_empty(), "no library function can be moved to another object");
    let mut edited = [lines::join_lines(&lines[..at]), lines::join_lines(&kept)].concat();
    let mut rest = lines::join_lines(&lines[end..]);
    for (part, functions) in parts {
        let name = format!("{LIBRARY}{}{}", part[..1].to_uppercase(), &part[1..]);
        edited +=
            &format!("\ninternal object {name} {{\n    init {{\n        Native.register({name}::class.java, {LIBRARY_NAME})\n    }}\n\n");
        for (function, line) in functions {
            edited += &format!("{line}\n");
            if !function.is_empty() {
                for before in [LIBRARY, "lib"] {
                    rest = rest.replace(&format!(" {before}.{function}("), &format!(" {name}.{function}("));
                }
            }
        }
        edited += "}\n";
    }
    Ok(edited + &rest)
}

/// uniffi's expression for the library's name.
const LIBRARY_NAME: &str = "findLibraryName(componentName = \"vitalwire\")";

/// Returns the group of a function. `None` for functions that every call needs.
fn group_name(function: &str) -> Option<&str> {
    let rest = function.strip_prefix(FUNCTION)?;
    let word = |text: &'_ str| text.find('_').unwrap_or(text.len());
    if rest == FIRST_FUNCTION {
        return None;
    }
    if let Some(function) = rest.strip_prefix(TOP_LEVEL) {
        return Some(if function.starts_with(SERVER) { SERVER } else { "files" });
    }
    let name = CLASS_OPERATIONS.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let class = &name[..word(name)];
    if class.starts_with(SERVER) {
        return Some(SERVER);
    }
    if class != CLIENT {
        return Some(class);
    }
    let method = name[class.len()..].strip_prefix('_')?;
    Some(&method[..word(method)])
}
