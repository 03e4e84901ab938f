//! Checks of a library before its release. Each function returns a line per problem.

use std::collections::BTreeSet;

use super::abis::Abi;
use super::elf::Library;

/// Page size of Android devices since Android 15.
const PAGE_BYTES: u64 = 16_384;

/// System libraries that every application may use.
const SYSTEM_LIBRARIES: [&str; 4] = ["libc.so", "libdl.so", "liblog.so", "libm.so"];

/// Sections that loaders ignore: symbols, debug information, LLVM's own.
const IGNORED_SECTIONS: [&str; 4] = [".debug", ".llvm", ".symtab", ".zdebug"];

/// Checks our native library: its name, sections, exported functions and size, and whether Android can load it.
pub(super) fn check_library(library: &Library, bytes: usize, name: &str, abi: &Abi, functions: &BTreeSet<String>) -> Vec<String> {
    let mut found = check_loadable(library, abi, true);
    if library.name != name {
        found.push(format!("its name is `{}`, but it is loaded as {name}", library.name));
    }
    found.extend(library.sections.iter().filter(|section| is_ignored(section)).map(|section| format!("it has the section {section}")));
    found.extend(functions.difference(&library.defined).map(|function| format!("it lacks {function}, which the classes call")));
    found.extend(library.defined.difference(functions).map(|name| format!("it exports {name}, which is not in the bindings")));
    if bytes > abi.max_bytes {
        found.push(format!("it has {bytes} bytes; at most {} are allowed", abi.max_bytes));
    }
    found
}

/// Checks that Android can load a library. Only 64-bit processors need support for pages of 16 KiB, unless `all_pages` is set.
pub(super) fn check_loadable(library: &Library, abi: &Abi, all_pages: bool) -> Vec<String> {
    let mut found = Vec::new();
    if library.machine != abi.machine {
        found.push("it was built for another processor".to_owned());
    }
    if (abi.is_64_bit || all_pages) && library.alignment < PAGE_BYTES {
        found.push(format!("a segment is aligned to {} bytes; pages of {PAGE_BYTES} must be supported", library.alignment));
    }
    found.extend(library.needed.iter().filter(|name| !SYSTEM_LIBRARIES.contains(&name.as_str())).map(|name| format!("it needs {name}")));
    if library.text_relocations {
        found.push("it has text relocations".to_owned());
    }
    if library.executable_stack {
        found.push("it needs an executable stack".to_owned());
    }
    found
}

fn is_ignored(section: &str) -> bool {
    IGNORED_SECTIONS.iter().any(|start| section.starts_with(start))
}

#[cfg(test)]
mod tests {
    use object::elf::{EM_ARM, EM_X86_64};

    use super::*;
    use crate::kotlin::package::android::abis::ABIS;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn library() -> Library {
        Library {
            machine: EM_ARM,
            name: "liba.so".to_owned(),
            needed: set(&["libc.so"]),
            alignment: PAGE_BYTES,
            text_relocations: false,
            executable_stack: false,
            sections: set(&[".text", ".dynsym"]),
            defined: set(&["call"]),
        }
    }

    fn findings(library: &Library, bytes: usize) -> Vec<String> {
        check_library(library, bytes, "liba.so", &ABIS[1], &set(&["call"]))
    }

    #[test]
    fn a_good_library_has_no_findings() {
        assert_eq!(findings(&library(), ABIS[1].max_bytes), [""; 0]);
    }

    #[test]
    fn every_problem_is_found() {
        let bad = Library {
            machine: EM_X86_64,
            name: "libb.so".to_owned(),
            needed: set(&["libc++_shared.so"]),
            alignment: 4_096,
            text_relocations: true,
            executable_stack: true,
            sections: set(&[".debug_info", ".llvmbc", ".symtab", ".text"]),
            defined: set(&["rust_eh_personality"]),
        };
        let max_bytes = ABIS[1].max_bytes;
        let too_large = format!("it has {} bytes; at most {max_bytes} are allowed", max_bytes + 1);
        let expected = [
            "it was built for another processor",
            "a segment is aligned to 4096 bytes; pages of 16384 must be supported",
            "it needs libc++_shared.so",
            "it has text relocations",
            "it needs an executable stack",
            "its name is `libb.so`, but it is loaded as liba.so",
            "it has the section .debug_info",
            "it has the section .llvmbc",
            "it has the section .symtab",
            "it lacks call, which the classes call",
            "it exports rust_eh_personality, which is not in the bindings",
            &too_large,
        ];
        assert_eq!(findings(&bad, max_bytes + 1), expected);
    }

    /// JNA's libraries for 32-bit processors support only pages of 4 KiB.
    #[test]
    fn a_32_bit_library_needs_no_large_pages() {
        let small = Library { alignment: 4_096, ..library() };
        assert_eq!(check_loadable(&small, &ABIS[1], false), [""; 0]);
        assert_eq!(check_loadable(&small, &ABIS[1], true).len(), 1);
    }
}
