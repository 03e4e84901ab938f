//! The header that includes all others.

use anyhow::bail;

/// Returns the header that includes all others.
///
/// # Errors
/// If a version does not have three numbers.
pub(super) fn umbrella_header(conventions: &str, version: &str, headers: &[&str]) -> anyhow::Result<String> {
    let numbers: Vec<&str> = version.split('.').collect();
    let [major, minor, patch] = numbers[..] else { bail!("a version of three numbers is wanted, not {version}") };
    let includes: String = headers.iter().map(|name| format!("#include \"vitalwire/{name}.h\"\n")).collect();
    Ok(format!(
        "{conventions}\n#ifndef VITALWIRE_H\n#define VITALWIRE_H\n\n\
         /** The version of this header, as a text and in numbers. `vitalwire_version` says the library's. */\n\
         #define VITALWIRE_VERSION \"{version}\"\n#define VITALWIRE_VERSION_MAJOR {major}\n#define VITALWIRE_VERSION_MINOR {minor}\n\
         #define VITALWIRE_VERSION_PATCH {patch}\n\n\
         /**\n * Whether the library is of this header's version. While that is 0.x, no other fits: ask before any other call where the\n\
         \x20* library is loaded by name. Programs that were linked with the shared library find no other.\n */\n\
         #define VITALWIRE_VERSION_MATCHES() vitalwire_str_equals(vitalwire_version(), VITALWIRE_VERSION)\n\n\
         {includes}#include \"vitalwire/names.h\"\n\n#endif\n"
    ))
}
