//! Checks of a library before its release. Each function returns a line per problem.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::macho::{self, Member, Version};
use super::privacy;

/// Maximum bytes that a library adds to an application. The target for phones is 3.5 MB, which `cargo xtask size` tracks. Code for x86_64
/// is a fifth larger.
const MAX_LINKED_BYTES: u64 = 5_000_000;

/// Code generators, which must not be part of an application. Panic texts would contain their names.
const GENERATORS: [&str; 3] = ["cargo_metadata", "uniffi_bindgen", "askama"];

/// Required properties of a library.
pub(super) struct Requirements<'a> {
    pub(super) platform: u32,
    pub(super) oldest: Version,
    pub(super) exported: &'a BTreeSet<String>,
    /// Prefix of every other exported name.
    pub(super) prefix: &'a str,
    /// Frameworks in the module map.
    pub(super) frameworks: &'a [&'a str],
    /// Frameworks and their functions.
    pub(super) known: &'a BTreeMap<String, Vec<String>>,
    /// The text of `PrivacyInfo.xcprivacy`.
    pub(super) privacy: &'a str,
}

pub(super) fn check_members(members: &[Member], expected: &Requirements) -> Vec<String> {
    let mut found = Vec::new();
    for member in members {
        found.extend(check_member(member, expected));
    }
    let defined: BTreeSet<&String> = members.iter().flat_map(|member| &member.defined).collect();
    found.extend(expected.exported.iter().filter(|name| !defined.contains(name)).map(|name| format!("{name} is declared but not defined")));
    let open: BTreeSet<String> =
        members.iter().flat_map(|member| &member.undefined).filter(|name| !defined.contains(name)).cloned().collect();
    found.extend(check_frameworks(&open, expected));
    found.extend(privacy::differences(&open, expected.privacy));
    found
}

fn check_member(member: &Member, expected: &Requirements) -> Vec<String> {
    let name = &member.name;
    let mut found = Vec::new();
    match member.built_for {
        Some(built) if built == (expected.platform, expected.oldest) => {}
        Some((platform, (major, minor))) => {
            found.push(format!("{name} is built for platform {platform}, version {major}.{minor} or later"))
        }
        None => found.push(format!("{name} does not state its platform")),
    }
    let useless = member.sections.iter().filter(|section| section.starts_with("__LLVM,") || section.starts_with("__DWARF,"));
    found.extend(useless.map(|section| format!("{name} has the section {section}")));
    let seen = member.defined.iter().filter(|name| !expected.exported.contains(*name) && !name.starts_with(expected.prefix));
    found.extend(seen.map(|symbol| format!("{name} exports {symbol}, which has no prefix of ours")));
    found
}

/// Compares the called frameworks with those in the module map.
fn check_frameworks(open: &BTreeSet<String>, expected: &Requirements) -> Vec<String> {
    let mut found = Vec::new();
    for (framework, functions) in expected.known {
        let called = functions.iter().find(|function| open.contains(*function));
        match (called, expected.frameworks.contains(&framework.as_str())) {
            (Some(name), false) => found.push(format!("the module map must name {framework}: the library calls {name}")),
            (None, true) => found.push(format!("the module map must not name {framework}: the library calls none of its functions")),
            _ => {}
        }
    }
    found
}

/// Checks that a library has no code of generators.
pub(super) fn check_generators(library: &[u8]) -> Vec<String> {
    let found = GENERATORS.iter().filter(|name| memmem::find(library, name.as_bytes()).is_some());
    found.map(|name| format!("it contains code of the generator {name}")).collect()
}

/// Checks that two linked libraries have the same code.
///
/// # Errors
/// If one has no code.
pub(super) fn check_code(one: &[u8], other: &[u8]) -> anyhow::Result<Option<String>> {
    let differs = macho::code(one)? != macho::code(other)?;
    Ok(differs.then(|| "the code of the library with line tables differs from that of the stripped library".to_owned()))
}

/// Checks the bytes that the library adds to an application.
pub(super) fn check_size(linked: u64) -> Option<String> {
    (linked > MAX_LINKED_BYTES).then(|| format!("it adds {linked} bytes to an application; at most {MAX_LINKED_BYTES} are allowed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn member() -> Member {
        Member {
            name: "a.o".to_owned(),
            built_for: Some((2, (16, 0))),
            sections: set(&["__TEXT,__text"]),
            defined: set(&["_call", "_own_x"]),
            undefined: set(&["_SecTrustCreate", "_fstat", "_own_x"]),
        }
    }

    fn findings(member: Member, privacy: &str, frameworks: &[&str]) -> Vec<String> {
        let known = [("CoreFoundation", "_CFRelease"), ("Security", "_SecTrustCreate")];
        let known = known.map(|(framework, name)| (framework.to_owned(), vec![name.to_owned()])).into();
        let exported = set(&["_call"]);
        let expected =
            Requirements { platform: 2, oldest: (16, 0), exported: &exported, prefix: "_own_", frameworks, known: &known, privacy };
        check_members(&[member], &expected)
    }

    const PRIVACY: &str = "NSPrivacyAccessedAPICategoryFileTimestamp";

    #[test]
    fn a_good_library_has_no_findings() {
        assert_eq!(findings(member(), PRIVACY, &["Security"]), [""; 0]);
        assert!(check_generators(b"code").is_empty() && check_size(MAX_LINKED_BYTES).is_none());
    }

    #[test]
    fn every_problem_of_a_member_is_found() {
        let mut bad = member();
        bad.built_for = Some((7, (15, 0)));
        bad.sections = set(&["__DWARF,__debug_info", "__LLVM,__bitcode", "__TEXT,__text"]);
        bad.defined = set(&["_own_x", "_rust_eh_personality"]);
        assert_eq!(
            findings(bad, PRIVACY, &["Security"]),
            [
                "a.o is built for platform 7, version 15.0 or later",
                "a.o has the section __DWARF,__debug_info",
                "a.o has the section __LLVM,__bitcode",
                "a.o exports _rust_eh_personality, which has no prefix of ours",
                "_call is declared but not defined",
            ]
        );
        assert_eq!(findings(Member { built_for: None, ..member() }, PRIVACY, &["Security"]), ["a.o does not state its platform"]);
    }

    #[test]
    fn frameworks_and_reasons_must_match_the_calls() {
        assert_eq!(
            findings(member(), "", &["CoreFoundation"]),
            [
                "the module map must not name CoreFoundation: the library calls none of its functions",
                "the module map must name Security: the library calls _SecTrustCreate",
                "PrivacyInfo.xcprivacy lacks NSPrivacyAccessedAPICategoryFileTimestamp: the library calls _fstat",
            ]
        );
    }

    #[test]
    fn code_of_generators_and_growth_are_found() {
        assert_eq!(check_generators(b"\0uniffi_bindgen/src\0"), ["it contains code of the generator uniffi_bindgen"]);
        assert_eq!(check_size(MAX_LINKED_BYTES + 1).unwrap(), "it adds 5000001 bytes to an application; at most 5000000 are allowed");
    }
}
