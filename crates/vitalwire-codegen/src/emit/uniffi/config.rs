//! `uniffi.toml`: how uniffi names things, and the types that cross as text or bytes and are classes of ours on the other side.

use crate::ir::Ir;

const FIXED: &str = r#"# How uniffi writes the Swift and Kotlin bindings.

[bindings.swift]
module_name = "VitalwireFFI"
# The C module needs a name that differs in more than case: macOS does not tell "vitalwireFFI" from "VitalwireFFI".
ffi_module_name = "CVitalwireFFI"
ffi_module_filename = "CVitalwireFFI"
# bindings/swift has a module map of its own, with a `link` line.
generate_module_map = false
generate_immutable_records = true
# uniffi's text would be a reflection of the error; the façade's error type has the texts users see.
omit_localized_error_conformance = true

[bindings.kotlin]
package_name = "dev.vitalwire.ffi"
# Named here because it would otherwise follow the file the bindings are generated from.
cdylib_name = "vitalwire_uniffi"
generate_immutable_records = true
# `entries` instead of `values()` for enums.
kotlin_target_version = "2.2.0"

[bindings.swift.custom_types.Series]
lift = "Series(bytes: {})"
lower = "{}.bytes"

[bindings.kotlin.custom_types.Series]
lift = "Series({})"
lower = "{}.bytes"
"#;

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = FIXED.to_owned();
    for set in &ir.open_sets {
        text.push_str(&format!(
            "\n[bindings.swift.custom_types.{name}]\nlift = \"{name}(rawValue: {{}})\"\nlower = \"{{}}.rawValue\"\n\n[bindings.kotlin.custom_types.{name}]\nlift = \"{name}({{}})\"\nlower = \"{{}}.text\"\n",
            name = set.name
        ));
    }
    text
}
