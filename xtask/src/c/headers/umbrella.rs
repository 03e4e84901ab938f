//! The header that includes all others.

use anyhow::bail;

/// Returns the header that includes all others.
///
/// # Errors
/// If the version does not have three numbers.
pub(super) fn umbrella_header(conventions: &str, version: &str, headers: &[&str]) -> anyhow::Result<String> {
    let numbers: Vec<&str> = version.split('.').collect();
    let [major, minor, patch] = numbers[..] else { bail!("the version must have three numbers, not {version}") };
    let includes: String = headers.iter().map(|name| format!("#include \"vitalwire/{name}.h\"\n")).collect();
    Ok(format!(
        "{conventions}\n#ifndef VITALWIRE_H\n#define VITALWIRE_H\n\n\
         /** @defgroup version Version\n * @{{ */\n\n/** @{{ */\n\
         /** Version of this header, as text and as numbers. `vitalwire_version` returns that of the library. */\n\
         #define VITALWIRE_VERSION \"{version}\"\n#define VITALWIRE_VERSION_MAJOR {major}\n#define VITALWIRE_VERSION_MINOR {minor}\n\
         #define VITALWIRE_VERSION_PATCH {patch}\n/** @}} */\n\n\
         /**\n * Whether the library has the version of this header. A 0.x header works only with that version. Check it before any\n\
         \x20* other call if the library is loaded by name. Programs linked with the shared library cannot load another version.\n */\n\
         #define VITALWIRE_VERSION_MATCHES() vitalwire_str_equals(vitalwire_version(), VITALWIRE_VERSION)\n\n/** @}} */\n\n\
         {includes}#include \"vitalwire/names.h\"\n\n#endif\n"
    ))
}
