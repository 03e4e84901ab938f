//! Linker arguments of a Python extension. On macOS, the interpreter provides the symbols at load time.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
