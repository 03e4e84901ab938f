//! When the bindings do what takes time.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};

use super::prune;
use crate::uniffi::lines;

/// The object with the library's functions, and how each of those begins that is not uniffi's own.
const LIBRARY: &str = "UniffiLib";
const FUNCTION: &str = "uniffi_vitalwire_uniffi_fn_";

/// What comes next in their names: what is done to a class, which follows.
const OF_CLASSES: [&str; 5] = ["method_", "clone_", "free_", "constructor_", "init_callback_vtable_"];
const OF_FILE: &str = "func_";

/// The class of clients, whose methods begin with what they are of, and what is called before all else.
const CLIENT: &str = "nativeclient";
const FIRST: &str = "func_abi_fingerprint";

/// How the main object tells the library of an interface that applications implement.
const REGISTERS: (&str, &str) = ("        uniffiCallbackInterface", ".register(this)");

/// What applications implement is told to the library before the first object of it crosses, and not as the library is loaded: few
/// applications have all of it, and each costs structures and functions made while the first call waits.
///
/// # Errors
/// Where nothing is told, or an interface has no place for its objects.
pub(super) fn registered(text: &str) -> anyhow::Result<String> {
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(REGISTERS.0)?.strip_suffix(REGISTERS.1)).collect();
    ensure!(!names.is_empty(), "the library is told of no interface");
    let mut edited = text.to_owned();
    for name in names {
        edited = edited.replacen(&format!("{}{name}{}\n", REGISTERS.0, REGISTERS.1), "", 1);
        let place = format!("    internal val handleMap = UniffiHandleMap<{name}>()\n");
        let (before, after) = edited.split_once(&place).with_context(|| format!("there is no place for objects of {name}"))?;
        let told = format!("{}.also {{ uniffiCallbackInterface{name}.register(UniffiLib) }}\n", place.trim_end());
        edited = [before, &told, after].concat();
    }
    Ok(edited)
}

/// The library's functions in objects of those that are called together: JNA looks for each function of an object, and makes what calls it,
/// as the object is first used, which takes longer in a JVM that has just begun than all else of a call.
///
/// # Errors
/// Where there is no object of functions, or none that could be apart.
pub(super) fn parted(text: &str) -> anyhow::Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let start = format!("internal object {LIBRARY} {{");
    let at = lines.iter().position(|line| *line == start).context("there is no object of functions")?;
    let end = lines::end(&lines, at).context("the object of functions has no end")?;
    let (mut kept, mut parts) = (Vec::new(), BTreeMap::<&str, Vec<(&str, &str)>>::new());
    let mut object = lines[at..end].iter().copied();
    while let Some(line) = object.next() {
        match prune::function(line).and_then(|name| Some((name, part(name)?))) {
            Some((name, part)) => {
                parts.entry(part).or_default().push((name, line));
                parts.entry(part).or_default().push(("", object.next().context("a function has no end")?));
            }
            None => kept.push(line),
        }
    }
    ensure!(!parts.is_empty(), "no function of the library could be apart");
    let mut edited = [lines::joined(&lines[..at]), lines::joined(&kept)].concat();
    let mut rest = lines::joined(&lines[end..]);
    for (part, functions) in parts {
        let name = format!("{LIBRARY}{}{}", part[..1].to_uppercase(), &part[1..]);
        edited += &format!("\ninternal object {name} {{\n    init {{\n        Native.register({name}::class.java, {NAME})\n    }}\n\n");
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

/// What the library is called, as uniffi finds it.
const NAME: &str = "findLibraryName(componentName = \"vitalwire\")";

/// The part that a function is in; none for what each call needs.
fn part(function: &str) -> Option<&str> {
    let rest = function.strip_prefix(FUNCTION)?;
    let word = |text: &'_ str| text.find('_').unwrap_or(text.len());
    if rest == FIRST {
        return None;
    }
    if rest.starts_with(OF_FILE) {
        return Some("files");
    }
    let of = OF_CLASSES.iter().find_map(|kind| rest.strip_prefix(kind))?;
    let class = &of[..word(of)];
    if class != CLIENT {
        return Some(class);
    }
    let method = of[class.len()..].strip_prefix('_')?;
    Some(&method[..word(method)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interfaces_are_told_with_their_first_object() {
        let text = "    init {\n        a()\n        uniffiCallbackInterfaceA.register(this)\n    }\n    internal val handleMap = UniffiHandleMap<A>()\n";
        let wanted = "    init {\n        a()\n    }\n    internal val handleMap = UniffiHandleMap<A>().also { uniffiCallbackInterfaceA.register(UniffiLib) }\n";
        assert_eq!(registered(text).unwrap(), wanted);
        assert!(registered("    init {\n    }\n").is_err());
        assert!(registered("        uniffiCallbackInterfaceB.register(this)\n").unwrap_err().to_string().ends_with("objects of B"));
    }

    #[test]
    fn functions_are_with_what_is_called_with_them() {
        let name = |rest: &str| part(&format!("{FUNCTION}{rest}")).map(str::to_owned);
        for kept in ["func_abi_fingerprint", "clone_nativeclient", "constructor_nativeclient"] {
            assert_eq!(name(kept), None, "{kept}");
        }
        assert_eq!(part("ffi_vitalwire_uniffi_rustbuffer_free"), None);
        assert_eq!(name("method_nativeclient_lab_reports_get").as_deref(), Some("lab"));
        assert_eq!(name("free_answers").as_deref(), Some("answers"));
        assert_eq!(name("func_parse_return").as_deref(), Some("files"));
    }

    #[test]
    fn an_object_is_parted() {
        let function = |name: &str| format!("    external fun {name}(\n    ): Int\n");
        let (kept, apart) = ("ffi_a", "uniffi_vitalwire_uniffi_fn_free_b");
        let text = format!(
            "internal object UniffiLib {{\n    init {{\n    }}\n{}{}}}\nval a = UniffiLib.{kept}() + UniffiLib.{apart}() + lib.{apart}()\n",
            function(apart),
            function(kept)
        );
        let wanted = format!(
            "internal object UniffiLib {{\n    init {{\n    }}\n{}}}\n\ninternal object UniffiLibB {{\n    init {{\n        \
             Native.register(UniffiLibB::class.java, {NAME})\n    }}\n\n{}}}\nval a = UniffiLib.{kept}() + UniffiLibB.{apart}() + \
             UniffiLibB.{apart}()\n",
            function(kept),
            function(apart)
        );
        assert_eq!(parted(&text).unwrap(), wanted);
        assert!(parted("class A\n").is_err());
    }
}
