//! Processors of Android's devices.

use anyhow::ensure;
use object::elf::{EM_386, EM_AARCH64, EM_ARM, EM_X86_64, Machine};

/// The oldest API level of devices: it brought java.time.
pub(super) const MIN_SDK: u32 = 26;

/// A library for one processor.
#[derive(Debug)]
pub(crate) struct Abi {
    /// Its folder in an AAR.
    pub(crate) name: &'static str,
    /// Rust's name.
    pub(super) triple: &'static str,
    /// How clang's name begins, to which the API level is added.
    pub(super) clang: &'static str,
    /// In the file's header.
    pub(super) machine: Machine,
    /// Whether devices with pages of 16 KiB have it.
    pub(super) is_64_bit: bool,
    /// Whether functions are told to keep frame pointers, which those for ARM do anyway. Without one, each push of an argument is a row in the
    /// tables for unwinding: half of them, for x86.
    pub(super) frame_pointers: bool,
    /// Bytes that its library may have: what it had last, and a fiftieth. 3.5 MB is the aim, which devices have; emulators alone have those for x86.
    pub(super) most: usize,
}

/// Every processor.
pub(crate) const ABIS: [Abi; 4] = [
    Abi {
        name: "arm64-v8a",
        triple: "aarch64-linux-android",
        clang: "aarch64-linux-android",
        machine: EM_AARCH64,
        is_64_bit: true,
        frame_pointers: false,
        most: 3_500_000,
    },
    Abi {
        name: "armeabi-v7a",
        triple: "armv7-linux-androideabi",
        clang: "armv7a-linux-androideabi",
        machine: EM_ARM,
        is_64_bit: false,
        frame_pointers: false,
        most: 2_490_000,
    },
    Abi {
        name: "x86",
        triple: "i686-linux-android",
        clang: "i686-linux-android",
        machine: EM_386,
        is_64_bit: false,
        frame_pointers: true,
        most: 3_700_000,
    },
    Abi {
        name: "x86_64",
        triple: "x86_64-linux-android",
        clang: "x86_64-linux-android",
        machine: EM_X86_64,
        is_64_bit: true,
        frame_pointers: true,
        most: 4_100_000,
    },
];

/// Those of these names, or all where there is no name.
///
/// # Errors
/// Where there is no processor of a name.
pub(super) fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Abi>> {
    let known = ABIS.map(|abi| abi.name);
    for name in names {
        ensure!(known.contains(&name.as_str()), "there is no ABI `{name}`; there are {}", known.join(", "));
    }
    Ok(ABIS.iter().filter(|abi| names.is_empty() || names.iter().any(|name| name == abi.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abis_are_chosen_by_name() {
        let names = |chosen: Vec<&Abi>| chosen.iter().map(|abi| abi.name).collect::<Vec<_>>();
        assert_eq!(names(chosen(&["x86_64".to_owned(), "x86".to_owned()]).unwrap()), ["x86", "x86_64"]);
        assert_eq!(chosen(&[]).unwrap().len(), ABIS.len());
        assert!(chosen(&["mips".to_owned()]).unwrap_err().to_string().starts_with("there is no ABI `mips`; there are arm64-v8a,"));
    }
}
